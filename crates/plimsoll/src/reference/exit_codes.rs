//! The page about exit codes.

use super::row;
use crate::exit_code;

pub(super) fn page() -> String {
    let mut text = String::from(
        "# Exit codes\n\nEvery command ends with one of these.\n\n| code | means |\n| --- | --- |\n",
    );
    for (number, meaning) in exit_code::ALL {
        text.push_str(&row(&[&number.to_string(), meaning]));
    }
    text.push_str(
        "\nA missing answer outweighs a negative one: findings are printed all the same, and the code is 2. Input that could \
         not be read is left out of this with `--allow-incomplete`.\n",
    );
    text
}

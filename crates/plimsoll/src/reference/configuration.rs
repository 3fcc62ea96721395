//! The page about settings.

use super::row;
use crate::config::{ALL, PRESETS, variable};
use crate::externals::ENTRY;

const HEAD: &str = "\
# Settings

`.plimsoll.yaml` holds what a repository always says. The nearest one is read, from the current folder up to the top of its
repository; `--config FILE` names another, `--no-config` none. [plimsoll.schema.json](plimsoll.schema.json) is its schema for
editors: `# yaml-language-server: $schema=…` on its first line.

The command line outweighs the environment, which outweighs the file, which outweighs the preset. Lists of `exclude` and
`assume` add up. `plimsoll config show --origin` prints every setting with who said it. A key, a word or a rule that does not
exist, and settings of which one makes another pointless, are named with their place and end the run with
[exit code 2](exit-codes.md).

```yaml
preset: ci
kube-version: \"1.34\"
exclude: ['**/tests/**']
rules:
  PLM-R012: warning
```

| key | variable | default | says |
| --- | --- | --- | --- |
";

const EXTERNALS: &str = "
## Externals

What others provide stands in a file of its own, which a platform team can publish for its cluster. It is named with
`--externals FILE` or under `externals`, and taken like `--assume`: each entry is there before the run. Entries that are not
needed are no news.

```yaml
apiVersion: plimsoll.dev/v1alpha1
kind: Externals
provides:
  - {object: Secret/flux-system/sops-age, milestone: stored, by: bootstrap}
  - {api: cert-manager.io/v1, by: platform team}
  - {chart: cert-manager, version: 1.18.2, by: platform team}
```

| key | says |
| --- | --- |
";

pub(super) fn page() -> String {
    let mut text = HEAD.to_owned();
    for setting in ALL {
        let variable = variable(setting).map_or_else(String::new, |name| format!("`{name}`"));
        let default = if setting.default.is_empty() { "–" } else { setting.default };
        text.push_str(&row(&[&format!("`{}`", setting.key), &variable, default, setting.says]));
    }
    text.push_str("\n## Presets\n\n| preset | for | sets |\n| --- | --- | --- |\n");
    for preset in PRESETS {
        let sets = format!("`{}`", preset.settings.trim_end().replace('\n', "`, `"));
        text.push_str(&row(&[&format!("`{}`", preset.name), preset.says, &sets]));
    }
    text.push_str(EXTERNALS);
    for (key, says) in ENTRY {
        text.push_str(&row(&[&format!("`{key}`"), says]));
    }
    text
}

//! Made-up templates: mostly right, sometimes broken.

use super::dice::Dice;

/// What the templates are given.
pub(super) const DATA: &str = r#"{"name":"web","empty":"","zero":0,"one":1,"ten":10,"half":0.5,"big":1234567,"huge":12345678901.5,"yes":true,"no":false,"nothing":null,"list":["a","b","c"],"mixed":[1,"two",null,{"k":"v"},[1,2]],"none":[],"map":{"a":1,"b":{"c":"deep","d":null},"z":"last"},"bare":{},"text":"one <two> & \"three\" ä€ 'x'\n"}"#;

const FIELDS: [&str; 24] = [
    ".name",
    ".empty",
    ".zero",
    ".one",
    ".ten",
    ".half",
    ".big",
    ".huge",
    ".yes",
    ".no",
    ".nothing",
    ".list",
    ".mixed",
    ".none",
    ".map",
    ".bare",
    ".text",
    ".missing",
    ".map.a",
    ".map.b.c",
    ".map.b",
    ".map.b.d",
    ".missing.deep",
    ".name.deep",
];
const LITERALS: [&str; 22] = [
    "1",
    "0",
    "-3",
    "2.5",
    "1e3",
    "0x1F",
    "'a'",
    "\"text\"",
    "`raw\\n`",
    "\"q\\\"\\t\\u00e9\"",
    "true",
    "false",
    "nil",
    "\"\"",
    "1_000",
    "0b11",
    "0o17",
    "'\\n'",
    "100000000000000000000",
    "1.0",
    ".5",
    "\"%d\"",
];
const BLANKS: [&str; 8] = ["", " ", "\n", "  text  ", "\n\n  ", "a: ", "- ", "\t x \r\n"];
const ONE: [&str; 6] = ["not", "len", "print", "html", "js", "urlquery"];
const TWO: [&str; 9] = ["eq", "ne", "lt", "le", "gt", "ge", "index", "and", "or"];
const FORMATS: [&str; 25] = [
    "\"%v\"",
    "\"%s\"",
    "\"%d\"",
    "\"%q\"",
    "\"%T\"",
    "\"%5v|\"",
    "\"%-5v|\"",
    "\"%05d\"",
    "\"%.2f\"",
    "\"%x\"",
    "\"%t\"",
    "\"%g\"",
    "\"%e\"",
    "\"%+d\"",
    "\"%c\"",
    "\"%U\"",
    "\"%08.3f\"",
    "\"%% %v\"",
    "\"%v %v\"",
    "\"%!\"",
    "\"%6.2f|\"",
    "\"% d\"",
    "\"%.3s|\"",
    "\"%[1]v %[1]T\"",
    "\"%X\"",
];

/// A template.
pub(super) fn template(dice: &mut Dice) -> String {
    let mut maker = Maker { dice, variables: Vec::new(), ranges: 0, depth: 0, called: "\"other\"" };
    let mut text = String::new();
    if maker.chance(5) {
        text.push_str("{{define \"part\"}}<");
        text.push_str(&maker.nodes(2));
        text.push_str(">{{end}}");
    }
    // A template that calls itself ends sooner here than in Go.
    maker.called = "\"part\"";
    maker.variables.clear();
    let count = 1 + maker.dice.below(5);
    text.push_str(&maker.nodes(count));
    if maker.chance(12) {
        return broken(&text, maker.dice);
    }
    text
}

/// A text with one character lost, doubled or put in.
fn broken(text: &str, dice: &mut Dice) -> String {
    let mut characters: Vec<char> = text.chars().collect();
    let at = dice.below(characters.len());
    match dice.below(3) {
        0 if !characters.is_empty() => {
            characters.remove(at);
        }
        1 if !characters.is_empty() => characters.insert(at, characters[at]),
        _ => characters
            .insert(at, ['{', '}', '(', ')', '|', '"', '$', '.', '-', ' ', ':', ',', '@'][dice.below(13)]),
    }
    characters.into_iter().collect()
}

struct Maker<'d> {
    dice: &'d mut Dice,
    variables: Vec<String>,
    ranges: usize,
    depth: usize,
    /// The name that `template` names.
    called: &'static str,
}

impl Maker<'_> {
    fn chance(&mut self, one_in: usize) -> bool {
        self.dice.below(one_in) == 0
    }

    fn pick<'s>(&mut self, from: &[&'s str]) -> &'s str {
        from[self.dice.below(from.len())]
    }

    fn nodes(&mut self, count: usize) -> String {
        (0..count).map(|_| self.node()).collect()
    }

    fn action(&mut self, inside: &str) -> String {
        let left = if self.chance(4) { "{{- " } else { "{{" };
        let right = if self.chance(4) { " -}}" } else { "}}" };
        format!("{left}{inside}{right}")
    }

    fn node(&mut self) -> String {
        if self.depth > 3 {
            return self.pick(&BLANKS).to_owned();
        }
        self.depth += 1;
        let node = match self.dice.below(16) {
            0..=3 => self.pick(&BLANKS).to_owned(),
            4..=8 => {
                let pipe = self.pipe();
                self.action(&pipe)
            }
            9 => self.branch("if"),
            10 => self.branch("with"),
            11 => self.range(),
            12 => self.declaration(),
            13 => {
                let comment = self.pick(&["/* a comment */", "/**/", "/* a\nb */"]).to_owned();
                if self.chance(3) { format!("{{{{- {comment} -}}}}") } else { format!("{{{{{comment}}}}}") }
            }
            14 => {
                let argument = self.operand();
                let name = self.called;
                let inside = format!("template {name} {argument}");
                self.action(&inside)
            }
            _ if self.ranges > 0 => {
                let word = self.pick(&["break", "continue"]);
                self.action(word)
            }
            _ => {
                let argument = self.operand();
                let body = self.nodes(1);
                format!("{{{{block \"inner\" {argument}}}}}{body}{{{{end}}}}")
            }
        };
        self.depth -= 1;
        node
    }

    fn branch(&mut self, word: &str) -> String {
        let known = self.variables.len();
        let pipe = self.pipe();
        let inside = format!("{word} {pipe}");
        let head = self.action(&inside);
        let body = self.nodes(2);
        let other = match self.dice.below(4) {
            0 => format!("{{{{else}}}}{}", self.nodes(1)),
            1 => {
                let pipe = self.pipe();
                format!("{{{{else {word} {pipe}}}}}{}{{{{else}}}}x", self.nodes(1))
            }
            _ => String::new(),
        };
        self.variables.truncate(known);
        let end = self.action("end");
        format!("{head}{body}{other}{end}")
    }

    fn range(&mut self) -> String {
        let known = self.variables.len();
        let subject = self
            .pick(&[".list", ".map", ".mixed", ".none", ".nothing", "3", ".one", ".name", ".bare", ".map.b"]);
        let declared = match self.dice.below(4) {
            0 => "$v := ",
            1 => "$k, $v := ",
            2 if self.variables.contains(&"$x".to_owned()) => "$x = ",
            _ => "",
        };
        if declared.contains("$v") {
            self.variables.push("$v".to_owned());
        }
        if declared.contains("$k") {
            self.variables.push("$k".to_owned());
        }
        let inside = format!("range {declared}{subject}");
        let head = self.action(&inside);
        self.ranges += 1;
        let body = self.nodes(2);
        self.ranges -= 1;
        self.variables.truncate(known);
        let other = if self.chance(3) { "{{else}}none" } else { "" };
        let end = self.action("end");
        format!("{head}{body}{other}{end}")
    }

    fn declaration(&mut self) -> String {
        let pipe = self.pipe();
        let name = self.pick(&["$x", "$y"]).to_owned();
        let is_known = self.variables.contains(&name);
        let sign = if is_known && self.chance(2) { "=" } else { ":=" };
        self.variables.push(name.clone());
        let inside = format!("{name} {sign} {pipe}");
        self.action(&inside)
    }

    fn pipe(&mut self) -> String {
        let mut pipe = self.command();
        while self.chance(3) {
            let stage = match self.dice.below(4) {
                0 => self.pick(&ONE).to_owned(),
                1 => format!("{} {}", self.pick(&TWO), self.operand()),
                2 => format!("printf {}", self.pick(&FORMATS)),
                _ => "print".to_owned(),
            };
            pipe = format!("{pipe} | {stage}");
        }
        pipe
    }

    fn command(&mut self) -> String {
        match self.dice.below(8) {
            0 => format!("{} {}", self.pick(&ONE), self.operand()),
            1 | 2 => format!("{} {} {}", self.pick(&TWO), self.operand(), self.operand()),
            3 => format!("printf {} {}", self.pick(&FORMATS), self.operand()),
            4 => format!(
                "{} {} {} {}",
                self.pick(&["print", "and", "or", "eq", "index", "println"]),
                self.operand(),
                self.operand(),
                self.operand()
            ),
            _ => self.operand(),
        }
    }

    fn operand(&mut self) -> String {
        self.depth += 1;
        let operand = match self.dice.below(12) {
            0..=4 => self.pick(&FIELDS).to_owned(),
            5..=7 => self.pick(&LITERALS).to_owned(),
            8 => ".".to_owned(),
            9 if !self.variables.is_empty() => {
                let variable = self.variables[self.dice.below(self.variables.len())].clone();
                if self.chance(3) { format!("{variable}.b") } else { variable }
            }
            10 if self.depth < 6 => {
                let inner = self.command();
                if self.chance(3) { format!("({inner}).b") } else { format!("({inner})") }
            }
            _ => format!("${}", self.pick(&[".name", ".map", "", ".list", ".map.b.c"])),
        };
        self.depth -= 1;
        operand
    }
}

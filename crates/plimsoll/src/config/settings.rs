//! Which settings there are.

/// One setting.
#[derive(Debug)]
pub(crate) struct Setting {
    /// Its key in the file; `PLIMSOLL_` and the key in capitals is its variable.
    pub(crate) key: &'static str,
    /// What may be written.
    pub(crate) shape: Shape,
    /// What holds where nobody says it.
    pub(crate) default: &'static str,
    /// What it does.
    pub(crate) says: &'static str,
}

/// What may be written as the value of a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// `true` or `false`.
    Switch,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Some text.
    Text,
    /// A list of texts.
    Texts,
    /// A list of these words.
    Words(&'static [&'static str]),
    /// A map from the code of a rule to one of these words.
    Rules(&'static [&'static str]),
    /// A list of what is allowed: maps with these keys, some of them mandatory.
    Allowances(&'static [Field]),
}

/// One key of a map inside a setting.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// The key.
    pub(crate) key: &'static str,
    /// Whether it must be there.
    pub(crate) is_needed: bool,
    /// What it says.
    pub(crate) says: &'static str,
}

const ALLOWANCE: &[Field] = &[
    Field { key: "rule", is_needed: true, says: "the code of the rule" },
    Field {
        key: "object",
        is_needed: true,
        says: "either end of the pair, as Kind/name or Kind/namespace/name; `*` stands for any text",
    },
    Field { key: "reason", is_needed: true, says: "why it may stay" },
    Field { key: "until", is_needed: false, says: "the last day on which it holds, as \"2027-01-31\"" },
];

/// Every setting, in the order in which they are shown.
pub(crate) const ALL: &[Setting] = &[
    Setting {
        key: "preset",
        shape: Shape::Word(&["ci", "strict", "audit"]),
        default: "",
        says: "settings that belong together; whatever else is said outweighs them",
    },
    Setting {
        key: "kube-version",
        shape: Shape::Text,
        default: "",
        says: "the version of the API server, such as \"1.34\"; the newest that is known unless said",
    },
    Setting {
        key: "namespace",
        shape: Shape::Text,
        default: "default",
        says: "the namespace of objects that name none",
    },
    Setting {
        key: "tool",
        shape: Shape::Word(&["auto", "kubectl", "helm"]),
        default: "auto",
        says: "the tool that delivers manifests",
    },
    Setting {
        key: "tool-version",
        shape: Shape::Text,
        default: "",
        says: "the tool's version, such as \"1.34\"",
    },
    Setting {
        key: "tool-flags",
        shape: Shape::Texts,
        default: "[]",
        says: "flags with which the tool is called",
    },
    Setting {
        key: "operations",
        shape: Shape::Words(&["install", "upgrade", "rollback", "uninstall"]),
        default: "[install, upgrade]",
        says: "what is done to the cluster",
    },
    Setting {
        key: "exclude",
        shape: Shape::Texts,
        default: "[]",
        says: "patterns of files and folders that are left out",
    },
    Setting {
        key: "assume",
        shape: Shape::Texts,
        default: "[]",
        says: "objects and charts that are there before the run, written as behind `--assume`",
    },
    Setting {
        key: "externals",
        shape: Shape::Texts,
        default: "[]",
        says: "files that say what others provide, as seen from this file",
    },
    Setting {
        key: "closed",
        shape: Shape::Switch,
        default: "false",
        says: "whether the cluster is empty: what the input does not bring is missing",
    },
    Setting {
        key: "pedantic",
        shape: Shape::Switch,
        default: "false",
        says: "whether noise (what heals within a minute) and guesses are told",
    },
    Setting {
        key: "fail-on",
        shape: Shape::Word(&["late", "stuck", "damage", "never"]),
        default: "late",
        says: "the mildest consequence that makes the exit code 1",
    },
    Setting {
        key: "fail-on-confidence",
        shape: Shape::Word(&["proved", "assumed", "heuristic"]),
        default: "proved",
        says: "the weakest confidence that makes the exit code 1",
    },
    Setting {
        key: "allow-incomplete",
        shape: Shape::Switch,
        default: "false",
        says: "whether input that could not be read leaves the exit code alone",
    },
    Setting {
        key: "rules",
        shape: Shape::Rules(&["off", "note", "warning", "error"]),
        default: "{}",
        says: "the weight of single rules: not told, told, or always failing the run",
    },
    Setting {
        key: "allow",
        shape: Shape::Allowances(ALLOWANCE),
        default: "[]",
        says: "findings that may stay: `rule`, `object`, `reason` and perhaps `until`",
    },
    Setting {
        key: "baseline",
        shape: Shape::Text,
        default: "",
        says: "a file of findings that were there when it was written, as seen from this file",
    },
    Setting {
        key: "require-expiry",
        shape: Shape::Switch,
        default: "false",
        says: "whether everything that is allowed needs an end",
    },
    Setting {
        key: "stale",
        shape: Shape::Word(&["note", "fail"]),
        default: "note",
        says: "what comes of what was set aside and need not be any more: it has ended, covers nothing, or is gone",
    },
];

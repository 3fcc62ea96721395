//! Charts that are known by heart.

/// What is known of a chart whose files are not at hand, as a small chart that brings the outlines of its objects.
///
/// Its `Chart.yaml` says, in annotations, which versions were read (`plimsoll.dev/versions`, oldest first), which API
/// groups it defines (`plimsoll.dev/groups`) and which values bring their definitions (`plimsoll.dev/definitions`).
/// Its templates ask `.Chart.Version` where versions differ.
#[derive(Debug, Clone, Copy)]
pub struct StandIn {
    /// The name of the chart.
    pub name: &'static str,
    /// The files, by their path inside the chart.
    pub files: &'static [(&'static str, &'static str)],
}

impl StandIn {
    /// Whether it stands for a manifest that people fetch from the network. Its name has an ending, a chart's has none, and
    /// `plimsoll.dev/repositories` says under which addresses it is found.
    #[must_use]
    pub fn is_manifest(&self) -> bool {
        self.name.contains(".yaml")
    }
}

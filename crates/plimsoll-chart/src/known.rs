//! Charts that are known by heart: their files are texts, and one text serves many versions.

use crate::chart::{Chart, ChartFailure, ChartFile, Content, load};
use crate::{Request, render};

impl Chart {
    /// Reads a chart whose files are known by heart, as the chart of this version.
    ///
    /// What lies below `crds/` may be a template here, which asks for the version.
    pub fn from_texts(files: &[(&str, &str)], version: &str) -> Result<Self, ChartFailure> {
        let files: Vec<ChartFile> =
            files.iter().map(|(path, text)| ChartFile::new(path, text.as_bytes())).collect();
        let mut chart = load::chart(files, "")?;
        let shared: Vec<ChartFile> =
            chart.templates.iter().filter(|file| file.path.starts_with("templates/_")).cloned().collect();
        chart.settle(version, &shared);
        Ok(chart)
    }

    /// Decides what depends on nothing but the version.
    fn settle(&mut self, version: &str, shared: &[ChartFile]) {
        version.clone_into(&mut self.metadata.version);
        let is_template =
            |file: &&mut ChartFile| file.path.starts_with("crds/") && file.text().contains("{{");
        for file in self.files.iter_mut().filter(is_template) {
            let template = ChartFile { path: "templates/definitions.yaml".into(), ..file.clone() };
            let asked = Self {
                metadata: self.metadata.clone(),
                path: "".into(),
                values: None,
                values_for_helm_3: None,
                schema: None,
                templates: shared.iter().cloned().chain([template]).collect(),
                files: Vec::new(),
                charts: Vec::new(),
            };
            let rendering = render(&asked, &Request::default());
            let texts = rendering.iter().flat_map(|rendering| &rendering.files);
            let text: String = texts.map(|rendered| rendered.text.as_str()).collect();
            file.content = Content::Text(text.into());
        }
        self.charts.iter_mut().for_each(|chart| chart.settle(version, shared));
    }
}

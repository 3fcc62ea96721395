//! Archives of charts: `.tgz`, with all files below one folder.

use super::reading::MAX_CHART_BYTES;
use super::{ChartFailure, ChartFile};
use flate2::read::GzDecoder;
use std::io::Read;
use tar::Archive;

/// The files of an archive, without the folder they stand in.
pub(super) fn files(bytes: &[u8]) -> Result<Vec<ChartFile>, ChartFailure> {
    let mut archive = Archive::new(GzDecoder::new(bytes));
    let entries = archive.entries().map_err(|error| bad(error.to_string()))?;
    let mut files = Vec::new();
    let mut left = MAX_CHART_BYTES as u64;
    for entry in entries {
        let mut entry = entry.map_err(|error| bad(error.to_string()))?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let path = inner_path(&name)?;
        let mut content = Vec::new();
        entry.by_ref().take(left + 1).read_to_end(&mut content).map_err(|error| bad(error.to_string()))?;
        left = left
            .checked_sub(content.len() as u64)
            .ok_or(ChartFailure::TooLarge { limit: MAX_CHART_BYTES >> 20 })?;
        files.push(ChartFile::new(&path, &content));
    }
    if files.is_empty() {
        return Err(bad("it has no files".to_owned()));
    }
    Ok(files)
}

fn bad(cause: String) -> ChartFailure {
    ChartFailure::BadArchive { path: String::new(), cause }
}

/// The path below the outermost folder; one that leads anywhere else is refused.
fn inner_path(name: &str) -> Result<String, ChartFailure> {
    let name = name.replace('\\', "/");
    let Some((outer, inner)) = name.split_once('/') else {
        return Err(bad(format!("{name} stands outside the folder of the chart")));
    };
    if inner.starts_with('/') || outer == ".." {
        return Err(bad(format!("{name} leads out of the chart")));
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in inner.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                if parts.pop().is_none() {
                    return Err(bad(format!("{name} leads out of the chart")));
                }
            }
            part => parts.push(part),
        }
    }
    if parts.is_empty() {
        return Err(bad(format!("{name} stands outside the folder of the chart")));
    }
    Ok(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;

    fn archive(files: &[(&str, &str)]) -> Vec<u8> {
        let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
        for (path, text) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            builder.append_data(&mut header, path, text.as_bytes()).unwrap();
        }
        builder.into_inner().unwrap().finish().unwrap()
    }

    #[test]
    fn an_archive_is_a_chart_and_may_hold_others() {
        let metadata = |name: &str| format!("apiVersion: v2\nname: {name}\nversion: 1.0.0\n");
        let inner = archive(&[("db/Chart.yaml", &metadata("db")), ("db/values.yaml", "a: 1\n")]);
        let mut files = files(&archive(&[("web/Chart.yaml", &metadata("web"))])).unwrap();
        files.push(ChartFile::new("charts/db-1.0.0.tgz", &inner));
        let chart = crate::chart::load::chart(files, "").unwrap();
        assert_eq!(chart.charts.len(), 1);
        assert_eq!(&*chart.charts[0].path, "charts/db-1.0.0.tgz");
        assert!(crate::Chart::from_archive(b"no archive").is_err());
    }

    #[test]
    fn paths_out_of_the_chart_are_refused() {
        assert_eq!(inner_path("web/templates/a.yaml").unwrap(), "templates/a.yaml");
        assert_eq!(inner_path("web/./a/../b").unwrap(), "b");
        for name in ["Chart.yaml", "web/../../etc/passwd", "web//etc/passwd", "../web/a", "web/.."] {
            assert!(inner_path(name).is_err(), "{name}");
        }
    }
}

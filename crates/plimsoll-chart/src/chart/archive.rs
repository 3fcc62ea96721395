//! Archives of charts: `.tgz`, with all files below one folder.

use super::reading::MAX_CHART_BYTES;
use super::{ChartFailure, ChartFile};
use flate2::read::GzDecoder;
use std::io::Read;
use tar::Archive;

/// The files of an archive, without the folder they stand in. All of it, names and gaps too, counts for the bytes that are
/// left.
pub(super) fn files(bytes: &[u8], left: &mut u64) -> Result<Vec<ChartFile>, ChartFailure> {
    let mut archive = Archive::new(GzDecoder::new(bytes).take(*left));
    let files = unpacked(&mut archive);
    *left = archive.into_inner().limit();
    if *left == 0 {
        return Err(ChartFailure::TooLarge { limit: MAX_CHART_BYTES >> 20 });
    }
    files
}

fn unpacked(archive: &mut Archive<impl Read>) -> Result<Vec<ChartFile>, ChartFailure> {
    let entries = archive.entries().map_err(|error| bad(error.to_string()))?;
    let mut files = Vec::new();
    for entry in entries {
        let mut entry = entry.map_err(|error| bad(error.to_string()))?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let path = inner_path(&name)?;
        let mut content = Vec::new();
        entry.read_to_end(&mut content).map_err(|error| bad(error.to_string()))?;
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
        let mut left = 1 << 20;
        let mut files = files(&archive(&[("web/Chart.yaml", &metadata("web"))]), &mut left).unwrap();
        files.push(ChartFile::new("charts/db-1.0.0.tgz", &inner));
        let chart = crate::chart::load::chart(files, "").unwrap();
        assert_eq!(chart.charts.len(), 1);
        assert_eq!(&*chart.charts[0].path, "charts/db-1.0.0.tgz");
        assert!(crate::Chart::from_archive(b"no archive").is_err());
    }

    #[test]
    fn all_of_an_archive_counts_for_the_bytes_that_are_left() {
        let is_too_large = |bytes: &[u8], mut left: u64| {
            matches!(files(bytes, &mut left), Err(ChartFailure::TooLarge { .. }))
        };
        let names: Vec<String> = (0..100).map(|number| format!("web/{number}")).collect();
        let empty = archive(&names.iter().map(|name| (name.as_str(), "")).collect::<Vec<_>>());
        assert!(is_too_large(&empty, 50_000) && !is_too_large(&empty, 60_000));
        let long = archive(&[(&format!("web/{}", "a".repeat(40_000)), "")]);
        assert!(is_too_large(&long, 30_000) && !is_too_large(&long, 60_000));
    }

    #[test]
    fn charts_in_a_chart_share_the_bytes_that_are_left() {
        let inner = |name: &str| {
            let metadata = format!("apiVersion: v2\nname: {name}\nversion: 1.0.0\n");
            let text = "a".repeat(10_000);
            archive(&[(&format!("{name}/Chart.yaml"), &metadata), (&format!("{name}/README.md"), &text)])
        };
        let outer = || {
            let file = |name: &str| ChartFile::new(&format!("charts/{name}.tgz"), &inner(name));
            let metadata = b"apiVersion: v2\nname: web\nversion: 1.0.0\n";
            vec![ChartFile::new("Chart.yaml", metadata), file("db"), file("cache")]
        };
        let built = |mut left: u64| crate::chart::load::build(outer(), "", 0, &mut left);
        assert_eq!(built(50_000).unwrap().charts.len(), 2);
        assert!(matches!(built(20_000), Err(ChartFailure::TooLarge { .. })));
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

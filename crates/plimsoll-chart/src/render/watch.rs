//! How long a rendering is waited for, and what is said of one that does not come back.

use super::failure::{RenderFailure, Step};
use super::rendering::Site;
use super::scope::Renderable;
use crate::chart::ChartFile;
use crate::template::beacon::Beacon;
use crate::template::limits::too_slow;
use crate::template::tree::position;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What a rendering tells while it lasts.
#[derive(Debug, Default)]
pub(super) struct Watch {
    pub(super) beacon: Arc<Beacon>,
    files: Mutex<Vec<Watched>>,
}

/// A file with templates.
#[derive(Debug)]
struct Watched {
    name: String,
    path: Arc<str>,
    file: ChartFile,
}

impl Watch {
    /// The number under which the beacon tells of a file, from 1.
    pub(super) fn enlist(&self, template: &Renderable<'_>) -> u32 {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.push(Watched {
            name: template.name.clone(),
            path: Arc::clone(&template.path),
            file: template.file.clone(),
        });
        u32::try_from(files.len()).unwrap_or_default()
    }

    /// The failure of a rendering that is at work for longer than it may be.
    pub(super) fn overdue(&self, limit: Duration) -> RenderFailure {
        let cause = too_slow(limit);
        let Some(site) = self.site() else { return RenderFailure::Unavailable { cause } };
        let Site { template, line, column, .. } = &site;
        RenderFailure::Template {
            message: format!("template: {template}:{line}:{column}: {cause}"),
            steps: vec![Step { site, context: String::new() }],
            cause,
            is_limit: true,
            unanswered: Vec::new(),
            looked_up: Box::default(),
        }
    }

    fn site(&self) -> Option<Site> {
        let (file, offset) = self.beacon.seen()?;
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        let Watched { name, path, file } = files.get((file as usize).checked_sub(1)?)?;
        let (line, column) = position(&file.text(), offset);
        Some(Site { template: name.clone(), path: Some(Arc::clone(path)), line, column: column + 1 })
    }
}

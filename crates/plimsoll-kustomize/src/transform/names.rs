//! Hashes behind the names of generated objects (`internal/builtins/HashTransformer.go`).

use crate::generate::hash;
use crate::refusal::Refusal;
use crate::resource::Resource;

/// Adds its hash to the name of every object that wants one.
pub(crate) fn hash_names(resources: &mut [Resource]) -> Result<(), Refusal> {
    for resource in resources.iter_mut().filter(|resource| resource.needs_hash) {
        let hash = hash(resource)?;
        resource.remember();
        let name = format!("{}-{hash}", resource.name());
        resource.set_name(&name);
    }
    Ok(())
}

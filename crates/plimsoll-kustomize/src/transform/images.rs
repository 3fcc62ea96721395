//! `images` (`filters/imagetag`, `internal/image/image.go`).

use crate::field_spec::FieldSpec;
use crate::kustomization::Image;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::tree::{Form, Node, Tag};
use regex::Regex;

/// Gives images another name, tag or digest.
pub(crate) fn set_images(
    resources: &mut [Resource],
    image: &Image,
    specs: &[FieldSpec],
) -> Result<(), Refusal> {
    let pattern = format!("^{}(:[a-zA-Z0-9_.{{}}-]*)?(@sha256:[a-zA-Z0-9_.{{}}-]*)?$", image.name);
    let pattern = Regex::new(&pattern)
        .map_err(|_| Refusal::new(image.place, "this name of an image is no regular expression"))?;
    for resource in resources {
        let gvk = resource.gvk();
        if &*gvk.kind == "CustomResourceDefinition" {
            continue;
        }
        find_containers(&mut resource.root, image, &pattern)?;
        for spec in specs {
            let mut change = |node: &mut Node| set_image(node, image, &pattern);
            spec.apply(&mut resource.root, &gvk, None, &mut change)?;
        }
        resource.settle_twins();
    }
    Ok(())
}

/// Whatever is called `containers` or `initContainers`, however deep.
fn find_containers(node: &mut Node, image: &Image, pattern: &Regex) -> Result<(), Refusal> {
    match &mut node.form {
        Form::Scalar(_) => Ok(()),
        Form::List(items) => items.iter_mut().try_for_each(|item| find_containers(item, image, pattern)),
        Form::Map(entries) => {
            for (key, value) in entries {
                find_containers(value, image, pattern)?;
                let is_list = matches!(&*key.text, "containers" | "initContainers");
                if let (true, Form::List(items)) = (is_list, &mut value.form) {
                    set_in_items(items, image, pattern)?;
                }
            }
            Ok(())
        }
    }
}

fn set_in_items(items: &mut [Node], image: &Image, pattern: &Regex) -> Result<(), Refusal> {
    for item in items {
        if !item.is_null() && !matches!(item.form, Form::Map(_)) {
            return Err(Refusal::new(item.place, "kustomize refuses a container that is no map"));
        }
        if let Some(field) = item.get_mut("image") {
            set_image(field, image, pattern)?;
        }
    }
    Ok(())
}

fn set_image(node: &mut Node, image: &Image, pattern: &Regex) -> Result<(), Refusal> {
    if !node.is_scalar() {
        return Err(Refusal::new(node.place, "kustomize refuses an image that is no text"));
    }
    if node.is_null() || !pattern.is_match(node.written()) {
        return Ok(());
    }
    let renamed = renamed(node.written(), image);
    node.set_scalar(&renamed, Tag::None, image.place)
}

fn renamed(written: &str, image: &Image) -> String {
    let (name, tag, digest) = split(written);
    let mut renamed = if image.new_name.is_empty() { name.to_owned() } else { image.new_name.to_string() };
    let suffixed = format!("{tag}{}", image.tag_suffix);
    // Another tag or digest replaces both.
    let (tag, digest) = match (&*image.new_tag, &*image.digest) {
        ("", "") if image.tag_suffix.is_empty() => (tag, digest),
        ("", "") => (suffixed.as_str(), ""),
        (tag, digest) => (tag, digest),
    };
    if !tag.is_empty() {
        renamed.push(':');
        renamed.push_str(tag);
    }
    if !digest.is_empty() {
        renamed.push('@');
        renamed.push_str(digest);
    }
    renamed
}

/// Name, tag and digest of an image. What stands before the first slash may hold a port.
fn split(image: &str) -> (&str, &str, &str) {
    let host = image.find('/').unwrap_or(0);
    let rest = image.get(host..).unwrap_or_default();
    let at = |sign: char| rest.find(sign).map(|at| at + host);
    let cut = |from: usize, to: usize| image.get(from..to).unwrap_or_default();
    let all = image.len();
    match (at(':'), at('@')) {
        (colon, Some(digest)) if colon.is_none_or(|colon| digest < colon) => {
            (cut(0, digest), "", cut(digest + 1, all))
        }
        (Some(colon), Some(digest)) => (cut(0, colon), cut(colon + 1, digest), cut(digest + 1, all)),
        (Some(colon), None) => (cut(0, colon), cut(colon + 1, all), ""),
        (None, _) => (image, "", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_cut_where_kustomize_cuts_them() {
        for (image, parts) in [
            ("nginx", ("nginx", "", "")),
            ("nginx:1.25", ("nginx", "1.25", "")),
            ("host:5000/a/b:1@sha256:ff", ("host:5000/a/b", "1", "sha256:ff")),
            ("a/b@sha256:ff", ("a/b", "", "sha256:ff")),
            ("host:5000/a", ("host:5000/a", "", "")),
        ] {
            assert_eq!(split(image), parts, "{image}");
        }
    }

    #[test]
    fn a_new_tag_drops_the_digest() {
        let image = Image { new_tag: "2".into(), ..Image::default() };
        assert_eq!(renamed("a:1@sha256:ff", &image), "a:2");
        let image = Image { tag_suffix: "-x".into(), new_name: "b".into(), ..Image::default() };
        assert_eq!(renamed("a:1@sha256:ff", &image), "b:1-x");
    }
}

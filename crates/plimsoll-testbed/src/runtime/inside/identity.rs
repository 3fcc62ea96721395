//! As whom a container's processes run, and with which of root's rights.

use super::{Identity, InsideError, step};
use rustix::process::{Gid, Uid};
use rustix::thread::{
    CapabilitySet, CapabilitySets, set_capabilities, set_keep_capabilities, set_thread_groups,
};
use rustix::thread::{set_no_new_privs, set_thread_res_gid, set_thread_res_uid};

/// The rights a container's root usually has.
const USUAL: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::MKNOD)
    .union(CapabilitySet::NET_RAW)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::SETFCAP)
    .union(CapabilitySet::SETPCAP)
    .union(CapabilitySet::NET_BIND_SERVICE)
    .union(CapabilitySet::SYS_CHROOT)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::AUDIT_WRITE);

/// A user as the container's own files know it.
struct Known {
    uid: u32,
    gid: u32,
    home: String,
}

/// Becomes the identity, for good; answers the home folder.
pub(super) fn assume(identity: &Identity) -> Result<String, InsideError> {
    let known = known(&identity.user, &std::fs::read_to_string("/etc/passwd").unwrap_or_default())?;
    let gid = identity.group.unwrap_or(known.gid);
    let mut groups: Vec<Gid> = identity.groups.iter().map(|group| Gid::from_raw(*group)).collect();
    groups.push(Gid::from_raw(gid));
    set_thread_groups(&groups).map_err(step("set groups"))?;
    let (gid, uid) = (Gid::from_raw(gid), Uid::from_raw(known.uid));
    set_thread_res_gid(gid, gid, gid).map_err(step("set group"))?;
    let rights = if identity.privileged { None } else { Some(rights(identity)) };
    if let Some(rights) = rights {
        bound(rights)?;
    }
    set_keep_capabilities(false).map_err(step("keep no rights"))?;
    set_thread_res_uid(uid, uid, uid).map_err(step("set user"))?;
    if let Some(rights) = rights {
        let held = if known.uid == 0 { rights } else { CapabilitySet::empty() };
        let sets = CapabilitySets { effective: held, permitted: held, inheritable: CapabilitySet::empty() };
        set_capabilities(None, sets).map_err(step("set rights"))?;
        set_no_new_privs(true).map_err(step("allow no new rights"))?;
    }
    Ok(known.home)
}

/// The usual rights, less what the pod drops, and what it adds.
fn rights(identity: &Identity) -> CapabilitySet {
    let named = |names: &[String]| {
        let all = names.iter().any(|name| name.eq_ignore_ascii_case("ALL"));
        let one = |name: &String| {
            let name = name.to_uppercase();
            CapabilitySet::from_name(name.strip_prefix("CAP_").unwrap_or(&name))
        };
        let some = names.iter().filter_map(one).fold(CapabilitySet::empty(), CapabilitySet::union);
        if all { CapabilitySet::all() } else { some }
    };
    (USUAL - named(&identity.dropped)) | named(&identity.added)
}

/// Rights outside the bounds cannot be had again.
fn bound(rights: CapabilitySet) -> Result<(), InsideError> {
    for right in CapabilitySet::all() - rights {
        match rustix::thread::remove_capability_from_bounding_set(right) {
            // This kernel does not know the right.
            Ok(()) | Err(rustix::io::Errno::INVAL) => {}
            Err(error) => return Err(step("bound rights")(error)),
        }
    }
    Ok(())
}

/// `1000`, `1000:1000` or a name, looked up in the text of a passwd file.
fn known(user: &str, passwd: &str) -> Result<Known, InsideError> {
    let (user, group) = user.split_once(':').unwrap_or((user, ""));
    let line = passwd
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>())
        .find(|fields| fields.first() == Some(&user) || fields.get(2) == Some(&user));
    let field = |at: usize| line.as_ref().and_then(|fields| fields.get(at).copied());
    let number = |text: Option<&str>| text.and_then(|text| text.parse::<u32>().ok());
    let uid = number(Some(user))
        .or_else(|| number(field(2)))
        .ok_or_else(|| InsideError::NoUser(user.to_owned()))?;
    let gid = number(Some(group)).or_else(|| number(field(3))).unwrap_or(0);
    Ok(Known { uid, gid, home: field(5).unwrap_or("/").to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PASSWD: &str = "root:x:0:0:root:/root:/bin/sh\nweb:x:33:34:web:/srv:/bin/sh\n";

    fn look_up(user: &str) -> Option<(u32, u32, String)> {
        known(user, PASSWD).ok().map(|known| (known.uid, known.gid, known.home))
    }

    #[test]
    fn users_are_looked_up_in_the_containers_own_file() {
        assert_eq!(look_up("web"), Some((33, 34, "/srv".to_owned())));
        assert_eq!(look_up("33"), Some((33, 34, "/srv".to_owned())));
        assert_eq!(look_up("web:5"), Some((33, 5, "/srv".to_owned())));
        assert_eq!(look_up("1234"), Some((1234, 0, "/".to_owned())), "a number needs no entry");
        assert_eq!(look_up("nobody-knows"), None);
    }

    #[test]
    fn rights_are_dropped_and_added() {
        let identity = |dropped: &[&str], added: &[&str]| Identity {
            dropped: dropped.iter().map(|&name| name.to_owned()).collect(),
            added: added.iter().map(|&name| name.to_owned()).collect(),
            ..Identity::default()
        };
        assert_eq!(rights(&identity(&[], &[])), USUAL);
        assert_eq!(rights(&identity(&["ALL"], &["NET_BIND_SERVICE"])), CapabilitySet::NET_BIND_SERVICE);
        assert!(rights(&identity(&[], &["SYS_ADMIN"])).contains(CapabilitySet::SYS_ADMIN));
    }
}

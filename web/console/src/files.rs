//! The style sheet and the scripts of the pages, at `/app/files/NAME`. A name has the hash of its content, so
//! browsers keep the files for ever.

/// One file.
#[derive(Debug)]
pub(crate) struct File {
    /// The path of the file.
    pub(crate) path: &'static str,
    pub(crate) media_type: &'static str,
    pub(crate) content: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The file at a path.
pub(crate) fn at(path: &str) -> Option<&'static File> {
    FILES.into_iter().find(|file| file.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_found_by_its_whole_path_only() {
        assert_eq!(at(STYLE.path).map(|file| file.content), Some(include_str!("../page/style.css")));
        assert!(at("/app/files/").is_none());
        assert!(at("/app/files/style.css").is_none());
    }

    #[test]
    fn nothing_of_another_origin_is_named() {
        for file in FILES {
            assert!(!file.content.contains("//") || !file.content.contains("http"), "{}", file.path);
        }
    }
}

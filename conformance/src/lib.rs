//! The suite that defines Matterbook.

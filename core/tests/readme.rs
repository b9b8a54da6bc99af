//! The front page of the crate's documentation.

#[test]
fn no_line_of_an_example_is_cut_off_on_the_front_page() {
    let mut is_code = false;
    for line in include_str!("../README.md").lines() {
        if line.starts_with("```") {
            is_code = !is_code;
        }
        // So many fit into the column of rustdoc in a window of 1,200 pixels.
        assert!(!is_code || line.chars().count() <= 100, "{line}");
    }
}

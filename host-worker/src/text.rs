//! Long texts from JavaScript.

use js_sys::Uint8Array;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    type TextEncoder;

    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;

    #[wasm_bindgen(method)]
    fn encode(this: &TextEncoder, text: &JsValue) -> Uint8Array;
}

thread_local! {
    static ENCODER: TextEncoder = TextEncoder::new();
}

/// A JavaScript string; `None` for any other value. The runtime's encoder copies it as a whole.
/// `JsValue::as_string` reads it character by character.
pub(crate) fn long_text(value: &JsValue) -> Option<String> {
    let bytes = value.is_string().then(|| ENCODER.with(|encoder| encoder.encode(value)))?;
    String::from_utf8(bytes.to_vec()).ok()
}

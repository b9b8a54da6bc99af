//! What JavaScript sees: the functions of [`Import`], with the file as JavaScript reads it.

use std::io;

use wasm_bindgen::{JsError, JsValue, prelude::wasm_bindgen};

use crate::{Import, Source, import::Problem};

#[wasm_bindgen]
extern "C" {
    /// Reads bytes of the chosen file from a place into a buffer. The worker defines it before it calls anything.
    #[wasm_bindgen(js_namespace = globalThis, js_name = readPartOfFile, catch)]
    fn read_part_of_file(at: f64, into: &mut [u8]) -> Result<u32, JsValue>;

    /// Called with the number of rows that were read, and a part from 0 to 1.
    #[wasm_bindgen(js_namespace = globalThis, js_name = tellProgress)]
    fn tell_progress(rows: f64, part: f64);
}

/// The chosen file.
#[wasm_bindgen]
pub struct ChosenFile(Import);

impl From<Problem> for JsValue {
    fn from(problem: Problem) -> Self {
        JsError::new(&problem.to_string()).into()
    }
}

fn read_at(at: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let at = at as f64;
    let count = read_part_of_file(at, buffer).map_err(|_| io::Error::other("the browser cannot read it any more"))?;
    Ok(usize::try_from(count).unwrap_or(0))
}

#[wasm_bindgen]
impl ChosenFile {
    /// A file by its name and length.
    #[wasm_bindgen(constructor)]
    #[must_use]
    pub fn new(name: &str, bytes: f64) -> Self {
        let bytes = bytes.max(0.0) as u64;
        Self(Import::new(name, Source::outside(read_at, bytes)))
    }

    /// The SHA-256 of the file, in hexadecimal digits.
    pub fn sha256(&self) -> Result<String, JsValue> {
        Ok(self.0.sha256()?)
    }

    /// See [`Import::columns`].
    pub fn columns(&mut self, settings: &str) -> Result<String, JsValue> {
        Ok(self.0.columns(settings)?)
    }

    /// See [`Import::check`].
    pub fn check(&mut self, settings: &str) -> Result<String, JsValue> {
        Ok(self.0.check(settings, &mut |rows, part| tell_progress(rows as f64, part))?)
    }

    /// See [`Import::begin_preview`].
    #[wasm_bindgen(js_name = beginPreview)]
    pub fn begin_preview(&mut self) -> Result<(), JsValue> {
        Ok(self.0.begin_preview()?)
    }

    /// See [`Import::begin_sending`].
    #[wasm_bindgen(js_name = beginSending)]
    pub fn begin_sending(&mut self, base: &str, counts: &str, forecast: &[u8]) -> Result<(), JsValue> {
        Ok(self.0.begin_sending(base, counts, forecast)?)
    }

    /// See [`Import::forecast`].
    pub fn forecast(&mut self) -> Result<Vec<u8>, JsValue> {
        Ok(self.0.forecast()?)
    }

    /// See [`Import::differences`].
    pub fn differences(&mut self, body: &[u8]) -> Result<String, JsValue> {
        Ok(self.0.differences(body)?)
    }

    /// See [`Import::accept`].
    pub fn accept(&mut self) -> Result<(), JsValue> {
        Ok(self.0.accept()?)
    }

    /// See [`Import::next_body`].
    #[wasm_bindgen(js_name = nextBody)]
    pub fn next_body(&mut self) -> Result<Option<Vec<u8>>, JsValue> {
        Ok(self.0.next_body()?)
    }

    /// See [`Import::batch`].
    pub fn batch(&mut self) -> Result<String, JsValue> {
        Ok(self.0.batch()?)
    }

    /// See [`Import::answered`].
    pub fn answered(&mut self, body: &[u8]) -> Result<String, JsValue> {
        Ok(self.0.answered(body)?)
    }

    /// See [`Import::too_large`].
    #[wasm_bindgen(js_name = tooLarge)]
    pub fn too_large(&mut self) -> Result<String, JsValue> {
        Ok(self.0.too_large()?)
    }

    /// See [`Import::refused_workbook`].
    #[wasm_bindgen(js_name = refusedWorkbook)]
    pub fn refused_workbook(&self, refused: &str) -> Result<Vec<u8>, JsValue> {
        Ok(self.0.refused_workbook(refused)?)
    }
}

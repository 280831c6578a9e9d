//! A temporary copy of the fixture, and edits of its files.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use flate2::{Compression, Crc, write::ZlibEncoder};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::Edit;

/// A copy of the fixture, with generated pictures.
pub struct Folder {
    folder: TempDir,
}

impl Folder {
    pub fn copy() -> Self {
        let folder = TempDir::with_prefix("almijara-content-").expect("a temporary folder");
        let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/content");
        for entry in fs::read_dir(fixture).expect("the fixture") {
            let file = entry.expect("a file").path();
            let name = file.file_name().expect("a name");
            fs::copy(&file, folder.path().join(name)).expect("a copy");
        }
        let copy = Self { folder };
        fs::create_dir(copy.path().join("media")).expect("a folder");
        for file in copy.read("directus_files").as_array().expect("files") {
            let (width, height) = (file["width"].as_u64(), file["height"].as_u64());
            let size = |side: Option<u64>| side.and_then(|side| side.try_into().ok()).unwrap_or(1);
            let path = copy.media(file);
            fs::write(path, picture(size(width), size(height))).expect("a picture");
        }
        copy
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    fn file(&self, collection: &str) -> PathBuf {
        self.path().join(format!("{collection}.json"))
    }

    fn media(&self, file: &Value) -> PathBuf {
        self.path().join("media").join(file["filename_disk"].as_str().expect("a name"))
    }

    fn read(&self, collection: &str) -> Value {
        let text = fs::read(self.file(collection)).expect("a file of the fixture");
        serde_json::from_slice(&text).expect("JSON")
    }

    pub fn edit(&self, edit: Edit<'_>) {
        match edit {
            Edit::Update { collection, key, fields } => self.save(collection, |items| {
                merge(find(items, &key), fields);
            }),
            Edit::Translate { collection, parent, row, fields } => self.save(collection, |items| {
                let rows = find(items, &parent)["translations"].as_array_mut();
                merge(find(rows.expect("translations"), &json!(row)), fields);
            }),
            Edit::Create { collection, item } => self.save(collection, |items| items.push(item)),
            Edit::Delete { collection, key } => {
                self.save(collection, |items| items.retain(|item| item["id"] != key));
            }
            Edit::Replace { file, picture } => {
                let mut files = self.read("directus_files");
                let file = find(files.as_array_mut().expect("files"), &json!(file));
                fs::write(self.media(file), picture).expect("the picture is written");
            }
        }
    }

    /// Writes a new file next to the old one and renames it, as text editors do.
    fn save(&self, collection: &str, edit: impl FnOnce(&mut Vec<Value>)) {
        let mut items = self.read(collection);
        edit(items.as_array_mut().expect("a list"));
        let new_file = self.path().join(format!(".{collection}.json.new"));
        fs::write(&new_file, items.to_string()).expect("the file is written");
        fs::rename(&new_file, self.file(collection)).expect("the file is renamed");
    }
}

fn find<'a>(items: &'a mut [Value], key: &Value) -> &'a mut Value {
    items.iter_mut().find(|item| item["id"] == *key).expect("an item of the fixture")
}

fn merge(item: &mut Value, fields: Value) {
    let Value::Object(fields) = fields else { return };
    for (field, value) in fields {
        item[field] = value;
    }
}

/// Returns a black picture of this size, as PNG.
pub fn picture(width: u32, height: u32) -> Vec<u8> {
    let mut header = [width.to_be_bytes(), height.to_be_bytes()].concat();
    // Eight-bit greyscale, with the only compression and filter method, and not interlaced.
    header.extend([8, 0, 0, 0, 0]);
    let mut pixels = ZlibEncoder::new(Vec::new(), Compression::default());
    for _row in 0..height {
        let unfiltered = vec![0; 1 + width as usize];
        pixels.write_all(&unfiltered).expect("memory takes it");
    }
    let pixels = pixels.finish().expect("memory takes it");
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [(b"IHDR", &header), (b"IDAT", &pixels), (b"IEND", &Vec::new())] {
        let length = u32::try_from(data.len()).expect("a small picture");
        let mut checksum = Crc::new();
        checksum.update(kind);
        checksum.update(data);
        png.extend(length.to_be_bytes());
        png.extend(kind);
        png.extend(data);
        png.extend(checksum.sum().to_be_bytes());
    }
    png
}

//! Parses XML into elements, within limits: only HTML's entities, and limited depth, length and number.

use std::error::Error as StdError;

use quick_xml::{Reader, escape::resolve_html5_entity, events::Event};

use crate::Error;

/// The maximum nesting depth of an element.
const MAX_DEPTH: usize = 16;
/// The maximum length of an element's text, in bytes.
const MAX_TEXT_LENGTH: usize = 256 << 10;
/// The maximum number of elements in a home.
const MAX_ELEMENTS: usize = 5_000;

/// An element with its content.
#[derive(Debug, Default)]
pub struct Element {
    pub name: String,
    /// Its attribute `id`.
    pub id: Option<String>,
    pub text: String,
    pub children: Vec<Element>,
    /// Its offset in its parent's text, in bytes.
    offset: usize,
}

impl Element {
    /// Returns the first child called `name`.
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Returns the children called `name`.
    pub fn children_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// Returns the trimmed text of the child called `name`, or `None` if it is blank.
    pub fn text_of(&self, name: &str) -> Option<&str> {
        self.child(name).map(|child| child.text.trim()).filter(|text| !text.is_empty())
    }

    /// Returns its content as text, including the tags.
    pub fn markup(&self) -> String {
        let mut markup = String::with_capacity(self.text.len());
        let mut from = 0;
        for child in &self.children {
            let (name, content) = (child.name.as_str(), child.markup());
            markup.push_str(&self.text[from..child.offset]);
            markup.extend(["<", name, ">", content.as_str(), "</", name, ">"]);
            from = child.offset;
        }
        markup.push_str(&self.text[from..]);
        markup
    }
}

/// A document whose root's children are read one by one.
pub struct Document<'a> {
    reader: Reader<&'a [u8]>,
    has_ended: bool,
}

impl<'a> Document<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { reader: Reader::from_str(text), has_ended: false }
    }

    fn invalid(&self, why: impl Into<Box<dyn StdError + Send + Sync>>) -> Error {
        Error::not_a_feed(format!("byte {}", self.reader.buffer_position()), why)
    }

    /// Reads up to the root, which must be called `name`.
    pub fn expect_root(&mut self, name: &str) -> Result<(), Error> {
        loop {
            match self.reader.read_event().map_err(|error| self.invalid(error))? {
                Event::Start(start) if start.local_name().as_ref() == name => return Ok(()),
                Event::Empty(start) if start.local_name().as_ref() == name => {
                    self.has_ended = true;
                    return Ok(());
                }
                Event::Start(_) | Event::Empty(_) | Event::Eof => {
                    return Err(self.invalid(format!("a Kyero feed begins with <{name}>")));
                }
                _ => {}
            }
        }
    }

    /// Reads the root's next child completely. Returns `None` at the end of the root.
    pub fn next_child(&mut self) -> Result<Option<Element>, Error> {
        let mut open: Vec<Element> = Vec::new();
        let mut count = 0;
        while !self.has_ended {
            let event = self.reader.read_event().map_err(|error| self.invalid(error))?;
            match event {
                Event::Start(start) | Event::Empty(start) if open.len() > MAX_DEPTH => {
                    let name = start.local_name().as_ref().to_owned();
                    return Err(self.invalid(format!("<{name}> is nested in {MAX_DEPTH} others")));
                }
                Event::Start(start) => {
                    count += 1;
                    let element = element(&start, open.last());
                    open.push(element);
                }
                Event::Empty(start) => {
                    count += 1;
                    let element = element(&start, open.last());
                    match open.last_mut() {
                        Some(parent) => parent.children.push(element),
                        None => return Ok(Some(element)),
                    }
                }
                Event::End(_) => match (open.pop(), open.last_mut()) {
                    (Some(element), Some(parent)) => parent.children.push(element),
                    (Some(element), None) => return Ok(Some(element)),
                    (None, _) => self.has_ended = true,
                },
                Event::Text(text) => self.append(&mut open, &text.xml10_content())?,
                Event::CData(text) => self.append(&mut open, &text.xml10_content())?,
                Event::GeneralRef(reference) => {
                    let char = reference.resolve_char_ref().map_err(|error| self.invalid(error))?;
                    match (char, resolve_html5_entity(&reference)) {
                        (Some(char), _) => self.append(&mut open, char.encode_utf8(&mut [0; 4]))?,
                        (None, Some(text)) => self.append(&mut open, text)?,
                        (None, None) => {
                            return Err(self.invalid(format!("&{}; is not known", &*reference)));
                        }
                    }
                }
                Event::Eof => {
                    return Err(self.invalid("it ends before </root>: a part is missing"));
                }
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
            if count > MAX_ELEMENTS {
                return Err(self.invalid(format!("a home has more than {MAX_ELEMENTS} elements")));
            }
        }
        Ok(None)
    }

    fn append(&self, open: &mut [Element], text: &str) -> Result<(), Error> {
        let Some(element) = open.last_mut() else { return Ok(()) };
        if element.text.len() + text.len() > MAX_TEXT_LENGTH {
            let name = &element.name;
            return Err(self.invalid(format!("<{name}> is longer than {MAX_TEXT_LENGTH} bytes")));
        }
        element.text.push_str(text);
        Ok(())
    }
}

fn element(start: &quick_xml::events::BytesStart<'_>, parent: Option<&Element>) -> Element {
    let id = start.try_get_attribute("id").ok().flatten();
    Element {
        name: start.local_name().as_ref().to_owned(),
        id: id.map(|id| id.value.to_string()),
        offset: parent.map_or(0, |parent| parent.text.len()),
        ..Element::default()
    }
}

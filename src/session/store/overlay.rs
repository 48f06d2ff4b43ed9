//! A file that is read, with later writes held in memory: input is an open file; output is a backend of the database, which
//! behaves as if it could be written. The check of a store, and a store that is only read, use it, since the database repairs
//! its own records even where nobody writes values.

use redb::StorageBackend;
use rustc_hash::FxHashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex};

/// Called with the number of bytes that were read; returns whether to go on.
pub(super) type OnRead = Arc<dyn Fn(u64) -> bool + Send + Sync>;

/// The file and what was written over it.
pub(super) struct Overlay {
    layers: Mutex<Layers>,
    on_read: Option<OnRead>,
}

impl std::fmt::Debug for Overlay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Overlay")
    }
}

struct Layers {
    file: File,
    // The length of the part of the file that may still be read, and the total length.
    below: u64,
    len: u64,
    pages: FxHashMap<u64, Box<[u8]>>,
}

const PAGE: u64 = 4096;

impl Overlay {
    /// Nothing is written over the file yet. The file is closed, and its lock released, when the overlay is dropped.
    pub(super) fn new(file: File, on_read: Option<OnRead>) -> io::Result<Overlay> {
        let len = file.metadata()?.len();
        let layers = Mutex::new(Layers {
            file,
            below: len,
            len,
            pages: FxHashMap::default(),
        });
        Ok(Overlay { layers, on_read })
    }

    fn layers(&self) -> std::sync::MutexGuard<'_, Layers> {
        self.layers.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Layers {
    // Reads from the file at `offset`; zeros after its end.
    fn below(&mut self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        out.fill(0);
        let there = self.below.saturating_sub(offset).min(out.len() as u64) as usize;
        if there > 0 {
            self.file.seek(SeekFrom::Start(offset))?;
            self.file.read_exact(&mut out[..there])?;
        }
        Ok(())
    }

    fn check(&self, offset: u64, len: usize) -> io::Result<()> {
        let end = offset.checked_add(len as u64);
        match end.is_some_and(|end| end <= self.len) {
            true => Ok(()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

impl StorageBackend for Overlay {
    fn len(&self) -> io::Result<u64> {
        Ok(self.layers().len)
    }

    fn read(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        if let Some(on_read) = &self.on_read
            && !on_read(out.len() as u64)
        {
            return Err(io::Error::other("the run was ended"));
        }
        let mut layers = self.layers();
        layers.check(offset, out.len())?;
        layers.below(offset, out)?;
        let mut at = offset;
        let end = offset + out.len() as u64;
        while at < end {
            let page = at / PAGE;
            let stop = end.min((page + 1) * PAGE);
            if let Some(bytes) = layers.pages.get(&page) {
                let (from, to) = ((at - page * PAGE) as usize, (stop - page * PAGE) as usize);
                out[(at - offset) as usize..(stop - offset) as usize]
                    .copy_from_slice(&bytes[from..to]);
            }
            at = stop;
        }
        Ok(())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut layers = self.layers();
        if len < layers.len {
            layers.below = layers.below.min(len);
            layers.pages.retain(|page, _| page * PAGE < len);
            if let Some(last) = layers.pages.get_mut(&(len / PAGE)) {
                last[(len % PAGE) as usize..].fill(0);
            }
        }
        layers.len = len;
        Ok(())
    }

    fn sync_data(&self) -> io::Result<()> {
        Ok(())
    }

    fn write(&self, offset: u64, data: &[u8]) -> io::Result<()> {
        let mut layers = self.layers();
        layers.check(offset, data.len())?;
        let mut at = offset;
        let end = offset + data.len() as u64;
        while at < end {
            let page = at / PAGE;
            let stop = end.min((page + 1) * PAGE);
            if !layers.pages.contains_key(&page) {
                let mut bytes = vec![0; PAGE as usize].into_boxed_slice();
                layers.below(page * PAGE, &mut bytes)?;
                layers.pages.insert(page, bytes);
            }
            if let Some(bytes) = layers.pages.get_mut(&page) {
                let (from, to) = ((at - page * PAGE) as usize, (stop - page * PAGE) as usize);
                bytes[from..to]
                    .copy_from_slice(&data[(at - offset) as usize..(stop - offset) as usize]);
            }
            at = stop;
        }
        Ok(())
    }
}

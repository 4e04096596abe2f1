//! Texture and surface objects, which the host makes and kernels use by their handles.

use super::Device;
use crate::recording::Command;
use machine::image::Image;
use machine::types::MemoryError;

impl Device {
    /// Makes an object. Its handle must not be that of another one.
    pub fn add_image(&mut self, handle: u64, image: Image) -> Result<(), MemoryError> {
        if !self.memory.images.add(handle, image.clone()) {
            return Err(MemoryError::InvalidAddress);
        }
        self.note(|| Command::AddImage { handle, image });
        Ok(())
    }

    pub fn remove_image(&mut self, handle: u64) -> Result<(), MemoryError> {
        self.memory.images.remove(handle).ok_or(MemoryError::InvalidAddress)?;
        self.note(|| Command::RemoveImage { handle });
        Ok(())
    }
}

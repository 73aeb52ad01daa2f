//! What the file dialog says, in the language spoken now.

use egui_file_dialog::FileDialogLabels;

use crate::words::say;

/// The dialog's own words; its signs stay.
pub(crate) fn labels() -> FileDialogLabels {
    let own = |text: &'static str| text.to_owned();
    let with = |sign: &str, text: &str| format!("{sign}  {text}");
    FileDialogLabels {
        cancel: own(say("dialog.cancel")),
        overwrite: own(say("dialog.overwrite")),
        reload: with("⟲", say("dialog.reload")),
        working_directory: with("↗", say("dialog.working")),
        select_all: with("🗐", say("dialog.all")),
        show_hidden: own(say("dialog.hidden")),
        show_system_files: own(say("dialog.system")),
        heading_pinned: own(say("dialog.pinned")),
        heading_places: own(say("dialog.places")),
        heading_devices: own(say("dialog.devices")),
        heading_removable_devices: own(say("dialog.removable")),
        home_dir: with("🏠", say("dialog.home")),
        desktop_dir: with("🖵", say("dialog.desktop")),
        documents_dir: with("🗐", say("dialog.documents")),
        downloads_dir: with("📥", say("dialog.downloads")),
        audio_dir: with("🎵", say("dialog.audio")),
        pictures_dir: with("🖼", say("dialog.pictures")),
        videos_dir: with("🎞", say("dialog.videos")),
        pin_folder: with("📌", say("dialog.pin")),
        unpin_folder: with("✖", say("dialog.unpin")),
        rename_pinned_folder: with("✏", say("dialog.rename")),
        selected_file: own(say("dialog.selected")),
        file_name: own(say("dialog.name")),
        file_filter_all_files: own(say("dialog.every")),
        save_extension_any: own(say("dialog.any")),
        open_button: with("🗀", say("dialog.open")),
        save_button: with("📥", say("dialog.save")),
        cancel_button: own(say("dialog.cancel")),
        overwrite_file_modal_text: own(say("dialog.exists")),
        err_empty_folder_name: own(say("dialog.no-folder-name")),
        err_empty_file_name: own(say("dialog.no-file-name")),
        err_directory_exists: own(say("dialog.folder-exists")),
        err_file_exists: own(say("dialog.file-exists")),
        ..FileDialogLabels::default()
    }
}

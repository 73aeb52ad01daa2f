//! What the file dialog says, in the language spoken now.

use egui_file_dialog::FileDialogLabels;

use crate::i18n::tr;

/// The dialog's own words; its signs stay.
pub(crate) fn labels() -> FileDialogLabels {
    let own = |text: &'static str| text.to_owned();
    let with = |sign: &str, text: &str| format!("{sign}  {text}");
    FileDialogLabels {
        cancel: own(tr("dialog.cancel")),
        overwrite: own(tr("dialog.overwrite")),
        reload: with("⟲", tr("dialog.reload")),
        working_directory: with("↗", tr("dialog.working")),
        select_all: with("🗐", tr("dialog.all")),
        show_hidden: own(tr("dialog.hidden")),
        show_system_files: own(tr("dialog.system")),
        heading_pinned: own(tr("dialog.pinned")),
        heading_places: own(tr("dialog.places")),
        heading_devices: own(tr("dialog.devices")),
        heading_removable_devices: own(tr("dialog.removable")),
        home_dir: with("🏠", tr("dialog.home")),
        desktop_dir: with("🖵", tr("dialog.desktop")),
        documents_dir: with("🗐", tr("dialog.documents")),
        downloads_dir: with("📥", tr("dialog.downloads")),
        audio_dir: with("🎵", tr("dialog.audio")),
        pictures_dir: with("🖼", tr("dialog.pictures")),
        videos_dir: with("🎞", tr("dialog.videos")),
        pin_folder: with("📌", tr("dialog.pin")),
        unpin_folder: with("✖", tr("dialog.unpin")),
        rename_pinned_folder: with("✏", tr("dialog.rename")),
        selected_file: own(tr("dialog.selected")),
        file_name: own(tr("dialog.name")),
        file_filter_all_files: own(tr("dialog.every")),
        save_extension_any: own(tr("dialog.any")),
        open_button: with("🗀", tr("dialog.open")),
        save_button: with("📥", tr("dialog.save")),
        cancel_button: own(tr("dialog.cancel")),
        overwrite_file_modal_text: own(tr("dialog.exists")),
        err_empty_folder_name: own(tr("dialog.no-folder-name")),
        err_empty_file_name: own(tr("dialog.no-file-name")),
        err_directory_exists: own(tr("dialog.folder-exists")),
        err_file_exists: own(tr("dialog.file-exists")),
        ..FileDialogLabels::default()
    }
}

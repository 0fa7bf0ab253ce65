import FoundationEssentials
import Glibc
import Router
import RouterCommandLine

/// Another program's configuration file, read and replaced as a whole.
struct SettingsFile: Sendable {
  let path: String

  /// The path of the existing file behind all links; `nil` if there is none.
  var resolvedPath: String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The path behind the file's links, also if there is no file.
  private var linked: String {
    get throws {
      var file = path
      for _ in 0..<40 {
        guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: file) else { return file }
        file = link.begins(with: "/") ? link : URL(filePath: file).deletingLastPathComponent().path + "/" + link
      }
      throw CommandFailure(.defect, "cannot change \(path): it leads through too many links")
    }
  }

  func read() throws -> (text: String, exists: Bool) {
    switch TextFile(path) {
    case .text(let text): return (text, true)
    case .missing: return ("", false)
    case .unreadable(let why): throw CommandFailure(.defect, "cannot read \(path): \(why)")
    }
  }

  func settings() throws -> HookSettings {
    do {
      return try HookSettings(try read().text)
    } catch let error as JSONError {
      throw CommandFailure(.defect, "cannot use \(path): \(error). The file was not changed; correct it first.")
    }
  }

  /// Replaces the file atomically. Follows symbolic links, also to a file that does not exist, and preserves the mode.
  ///
  /// - Parameter backsUp: Whether to copy the present file first, in place of an earlier backup.
  /// - Returns: The path of the newest backup, if there is one.
  func write(_ text: String, backsUp: Bool = true) throws -> String? {
    let files = FileManager.default
    let (file, exists) = (try linked, resolvedPath != nil)
    let backup = exists ? file + ".before-router" : nil
    do {
      if let backup {
        if backsUp {
          try? files.removeItem(atPath: backup)
          try files.copyItem(atPath: file, toPath: backup)
        }
      } else if file == path {
        let directory = URL(filePath: file).deletingLastPathComponent().path
        try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
      }
    } catch {
      throw CommandFailure(.defect, "cannot change \(file): \(error.systemReason)")
    }
    try replace(file, with: text)
    return backup.flatMap { files.fileExists(atPath: $0) ? $0 : nil }
  }

  private func replace(_ file: String, with text: String) throws {
    var status = stat()
    let mode = stat(file, &status) == 0 ? status.st_mode & 0o7777 : 0o600
    let new = "\(file).\(getpid()).new"
    let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(file) }
    defer { close(descriptor) }
    StandardStream(descriptor: descriptor).text(text)
    var written = stat()
    guard fstat(descriptor, &written) == 0, written.st_size == text.utf8.count, fchmod(descriptor, mode) == 0,
      fsync(descriptor) == 0, rename(new, file) == 0
    else {
      let failure = failure(file)
      unlink(new)
      throw failure
    }
  }

  private func failure(_ file: String) -> CommandFailure {
    CommandFailure(.defect, "cannot write \(file): \(String(cString: strerror(errno)))")
  }
}

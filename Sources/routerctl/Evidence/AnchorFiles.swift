import FoundationEssentials
import Glibc
import Router
import RouterCommandLine

/// The anchors in a file, or in a directory's files that end in `.json` and `.jsonl`.
struct AnchorFiles {
  private(set) var anchors: [(name: String, head: AuditHead)] = []
  /// The time stamps in the directory, with the files that they certify.
  private(set) var stamps: [(stamp: String, data: String)] = []

  /// The maximum size of a file.
  private static let maximumBytes = 1 << 30

  init(path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.unreadable(path) }
    if status.st_mode & S_IFMT == S_IFDIR {
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: path).sorted() else { throw Self.unreadable(path) }
      for name in names where name.ends(with: ".json") || name.ends(with: ".jsonl") { try read(path + "/" + name, name: name) }
      stamps = names.filter { $0.ends(with: ".tsr") }.map { name in
        (path + "/" + name, path + "/" + name.dropLast(".tsr".count) + ".json")
      }
    } else {
      try read(path, name: path.fileName)
    }
    guard !anchors.isEmpty else { throw CommandFailure(.faulty, "log verification failed: \(path) has no anchors") }
  }

  private mutating func read(_ path: String, name: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.unreadable(path) }
    defer { close(descriptor) }
    guard let bytes = Descriptors.readAll(descriptor, limit: Self.maximumBytes) else { throw Self.unreadable(path) }
    guard bytes.count <= Self.maximumBytes else {
      throw CommandFailure(.usage, "cannot read the anchors in \(path): it is larger than \(Self.maximumBytes >> 30) GiB")
    }
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
    where !line.isEmpty {
      do {
        let anchor = try AuditAnchor(line: String(decoding: line, as: UTF8.self))
        let made = [anchor.at.map { "made at \($0)" }, anchor.host.map { "on \($0)" }].compactMap(\.self)
        anchors.append(
          ("\(name):\(index + 1)" + (made.isEmpty ? "" : " (\(made.joined(separator: " ")))"), anchor.head))
      } catch {
        throw CommandFailure(.usage, "cannot read the anchor \(path):\(index + 1): \(error)")
      }
    }
  }

  private static func unreadable(_ path: String) -> CommandFailure {
    CommandFailure(.usage, "cannot read the anchors in \(path): \(String(cString: strerror(errno)))")
  }
}

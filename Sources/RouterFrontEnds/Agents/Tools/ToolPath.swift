import FoundationEssentials
import Glibc
import Router

/// A file path from a tool's input.
///
/// Compares bytes and code points: a combining character after a slash would make it another `Character`.
struct ToolPath: Sendable {
  let path: String
  /// The path, relative to the call's directory.
  let file: String

  init(_ path: String, in directory: String?) {
    self.path = path
    file = path.utf8.first == UInt8(ascii: "/") ? path : (directory ?? FileManager.default.currentDirectoryPath) + "/" + path
  }

  /// The target of the path's symbolic links; `nil` if it is the same path or unknown.
  var target: String? { Self.resolve(file).flatMap { $0.isSame(as: file) ? nil : $0 } }

  /// Returns the path for display: relative to the directory if it is below it, with symbolic links resolved.
  func name(in directory: String?) -> String {
    let path = target ?? file
    guard let directory, path.begins(with: directory + "/") else { return path }
    return String(path.unicodeScalars.dropFirst(directory.unicodeScalars.count + 1))
  }

  /// Notes for the person: the target of symbolic links, and parts that the agent may read differently.
  var notes: [String] {
    var notes: [String] = []
    if let target = Self.resolve(file) {
      if !target.isSame(as: file) { notes.append("The path resolves to \(target.exact).") }
    } else {
      notes.append("It is unknown where the path's symbolic links lead.")
    }
    let doubts = path.pathDoubts
    if !doubts.isEmpty { notes.append("The agent may read this path differently: it \(doubts.joined(separator: " and ")).") }
    return notes
  }

  /// Cautions about effects of a change elsewhere, shown with an act on the path.
  var cautions: [String] {
    let file = Self.resolve(file) ?? file
    let links = Self.links(of: file).map { "The file has \($0) names (hard links), perhaps elsewhere." }
    return [SteeringPath.reason(file).map { "Look twice: \($0.exact)." }, links].compactMap(\.self)
  }

  /// Resolves all symbolic links in an absolute path, including missing files, which a tool would create at the target.
  ///
  /// - Returns: `nil` if there are too many links, or a target is not valid UTF-8.
  static func resolve(_ path: String) -> String? {
    var pending = components(of: path)
    var done: [String] = []
    var links = 0
    while let component = pending.popLast() {
      if component == ".." { _ = done.popLast() }
      if component == "." || component == ".." { continue }
      done.append(component)
      guard let link = SymbolicLink.target(of: "/" + done.joined(separator: "/")) else { continue }
      links += 1
      // The kernel's limit (path_resolution(7)).
      guard links <= 40, let target = String(validating: link, as: UTF8.self) else { return nil }
      done = target.utf8.first == UInt8(ascii: "/") ? [] : done.dropLast()
      pending += components(of: target)
    }
    return "/" + done.joined(separator: "/")
  }

  /// Returns the number of a file's hard links, if there are several.
  static func links(of path: String) -> Int? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink > 1 else { return nil }
    return Int(status.st_nlink)
  }

  /// Splits a path, last component first.
  private static func components(of path: String) -> [String] {
    path.split(at: "/").reversed().map { String($0) }
  }
}

extension ToolCall {
  /// The paths of a patch in the format of Codex's apply_patch.
  var patchPaths: [String] {
    let marks = ["*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "]
    return (input["command"]?.string ?? "").unicodeScalars.split(separator: "\n").compactMap { line in
      marks.first { line.starts(with: $0.unicodeScalars) }.map { String(line.dropFirst($0.unicodeScalars.count)) }
    }
  }

  /// The notes on a patch's paths, which are not in its act.
  var patchNotes: [String] {
    patchPaths.flatMap { path in
      let place = ToolPath(path, in: directory)
      return (place.notes + place.cautions).map { "\(path.exact): \($0)" }
    }
  }
}

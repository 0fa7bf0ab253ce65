import Glibc
import Router

/// A file or symbolic link that a command puts in place for a user, and removes again to undo that. What Router did not write is
/// the user's: it is neither replaced nor removed.
package struct InstalledFile: Sendable {
  package enum Content: Sendable, Hashable {
    /// The bytes of a regular file.
    case file([UInt8])
    /// A symbolic link, by the bytes of its target.
    case symbolicLink([UInt8])

    package static func link(to target: String) -> Content { .symbolicLink(Array(target.utf8)) }
    package static func text(_ text: String) -> Content { .file(Array(text.utf8)) }
  }

  /// What happens to the file, or has happened.
  package enum Effect: Sendable, Hashable {
    case unchanged, changed
    /// The user's file is kept, which may be one that cannot be read, for a reason.
    case kept(String?)
  }

  package let path: String
  /// Whether Router wrote a content.
  private let isOwn: @Sendable (Content) -> Bool

  package init(path: String, isOwn: @escaping @Sendable (Content) -> Bool) { (self.path, self.isOwn) = (path, isOwn) }

  /// Returns what ``put(_:mode:)`` would do. Does not follow a symbolic link.
  package func effect(of new: Content?) -> Effect {
    let old: Content
    if let target = SymbolicLink.target(of: path) {
      old = .symbolicLink(target)
    } else {
      switch TextFile(path) {
      case .missing: return new == nil ? .unchanged : .changed
      case .unreadable(let why): return .kept(why)
      case .text(let text): old = .text(text)
      }
    }
    return old == new ? .unchanged : isOwn(old) ? .changed : .kept(nil)
  }

  /// Gives the path a content, or removes the file (`nil`), in one step.
  ///
  /// - Parameter mode: The exact permissions of the file; `nil` for those of a new file, by the umask.
  @discardableResult
  package func put(_ new: Content?, mode: UInt32? = nil) throws -> Effect {
    let effect = effect(of: new)
    guard effect == .changed else { return effect }
    do {
      switch new {
      case .file(let bytes)?: try FileReplacement.write(bytes, to: path, mode: mode)
      case .symbolicLink(let target)?: try FileReplacement.link(path, to: String(decoding: target, as: UTF8.self))
      case nil: if unlink(path) != 0 { throw SystemFailure() }
      }
    } catch {
      throw CommandFailure(.defect, "cannot \(new == nil ? "remove" : "write") \(path): \(error)")
    }
    return effect
  }

  /// Creates the directories above the file that are missing.
  package func makeDirectory(mode: UInt32 = 0o700) throws {
    do {
      try Directories.make(path.parentDirectory, mode: mode)
    } catch {
      throw CommandFailure(.defect, "cannot create the directory \(path.parentDirectory): \(error)")
    }
  }
}

import Glibc
import Router

/// A file or symbolic link that a command installs for a user, and removes on uninstall. Files not written by Router belong to
/// the user: they are neither replaced nor removed.
package struct InstalledFile: Sendable {
  package enum Content: Sendable, Hashable {
    /// The bytes of a regular file.
    case file([UInt8])
    /// A symbolic link with the bytes of its target.
    case symbolicLink([UInt8])

    package static func link(to target: String) -> Content { .symbolicLink(Array(target.utf8)) }
    package static func text(_ text: String) -> Content { .file(Array(text.utf8)) }
  }

  /// A planned or completed change to the file.
  package enum Effect: Sendable, Hashable {
    case unchanged, changed
    /// The user's file is kept, with the reason if it cannot be read.
    case kept(String?)
  }

  package let path: String
  /// Whether Router wrote the content.
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

  /// Writes the content atomically, or removes the file (`nil`).
  ///
  /// - Parameter mode: The exact permissions of the file; `nil` for the default by the umask.
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

  /// Creates the missing directories above the file.
  package func makeDirectory(mode: UInt32 = 0o700) throws {
    do {
      try Directories.make(path.parentDirectory, mode: mode)
    } catch {
      throw CommandFailure(.defect, "cannot create the directory \(path.parentDirectory): \(error)")
    }
  }
}

import FoundationEssentials
import Router
import Yams

/// A configuration file: YAML with one value or list per setting, in sections at most one level deep. Unknown names are
/// errors.
struct ConfigurationFile: Sendable, Hashable {
  /// The texts of each setting by name; a single one unless the setting is a list.
  private(set) var values: [String: [String]] = [:]

  /// Reads a file. Throws ``RouterError``, which names the line and the setting.
  init(path: String, mayBeMissing: Bool) throws {
    let text: String
    do {
      text = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile && mayBeMissing {
      return
    } catch {
      throw RouterError(.invalid, "cannot read the configuration \(path)", cause: error)
    }
    do {
      try read(text)
    } catch let error as Mistake {
      throw RouterError(.invalid, "cannot use the configuration \(path): \(error.message)")
    } catch {
      throw RouterError(.invalid, "cannot read the configuration \(path): it is not YAML", cause: error)
    }
  }

  /// Parses the text of a file.
  init(yaml text: String) throws {
    try read(text)
  }

  private struct Mistake: Error {
    let message: String

    init(_ message: String, at node: Node) {
      self.message = "line \(node.mark?.line ?? 1): \(message)"
    }
  }

  private mutating func read(_ text: String) throws {
    guard let root = try compose(yaml: text), root.null == nil else { return }
    guard let members = root.mapping else { throw Mistake("expected settings as name: value", at: root) }
    for (name, value) in members {
      guard let section = name.string, Setting.sections.contains(section) else {
        try take(name, value, in: nil)
        continue
      }
      if let members = value.mapping {
        for (name, value) in members { try take(name, value, in: section) }
      } else if value.null == nil {
        throw Mistake("\(section) is a section: indent its settings below it", at: name)
      }
    }
  }

  private mutating func take(_ name: Node, _ value: Node, in section: String?) throws {
    let text = (section.map { $0 + "." } ?? "") + (name.string ?? "")
    guard let setting = Setting.all.first(where: { $0.name == text && $0.section == section }) else {
      let known = Setting.all.map(\.name).joined(separator: ", ")
      throw Mistake("\(text) is not a setting; the settings are \(known)", at: name)
    }
    if let scalar = value.scalar {
      values[text] = [value.null == nil ? scalar.string : ""]
      return
    }
    guard setting.isList else { throw Mistake("\(text) takes one value", at: value) }
    guard let list = value.sequence else { throw Mistake("\(text) takes a list of values", at: value) }
    values[text] = try list.map { element in
      guard let scalar = element.scalar, element.null == nil else {
        throw Mistake("\(text) takes a list of values", at: element)
      }
      return scalar.string
    }
  }
}

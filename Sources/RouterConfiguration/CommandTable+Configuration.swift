import Glibc
package import Router

extension CommandTable {
  /// Returns the standard table with the rows of `grants.prefixes` in the `routerd.yaml` beside a rules file, as a daemon with
  /// both files uses it.
  ///
  /// Skips invalid rows, which the daemon reports.
  package static func configured(besides rules: String) -> CommandTable {
    var commands = standard
    let file = open(DefaultPaths.configuration(besides: rules), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return commands }
    defer { close(file) }
    guard let bytes = Descriptors.readAll(file, limit: 1 << 20), let text = String(validating: bytes, as: UTF8.self),
      let root = try? YAMLReader.read(text), let grants = root.members?.first(where: { $0.name == "grants" })?.value,
      case .list(let rows)? = grants.members?.first(where: { $0.name == "prefixes" })?.value.content
    else { return commands }
    for row in rows { if case .text(let text) = row.content { try? commands.add(text) } }
    return commands
  }
}

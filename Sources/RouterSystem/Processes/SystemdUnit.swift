import RouterCore

enum SystemdUnit {
  private static let types: Set<Substring> = [
    "service", "socket", "target", "device", "mount", "automount", "swap", "timer", "path", "slice", "scope",
  ]

  /// Returns the unit of a process, like sd_pid_get_unit(3), from the content of `/proc/PID/cgroup`: the first component of the
  /// control group path that is not a slice. Processes of a user's service manager belong to `user@UID.service`.
  static func name(ofCgroups cgroups: String) -> String? {
    var path: Substring.UTF8View?
    let colon = UInt8(ascii: ":")
    for line in cgroups.utf8.split(separator: UInt8(ascii: "\n")) {
      guard let first = line.firstIndex(of: colon), let second = line[first...].dropFirst().firstIndex(of: colon)
      else { continue }
      // Prefers systemd's version 1 hierarchy to version 2.
      let isVersion1 = line[first..<second].dropFirst().elementsEqual("name=systemd".utf8)
      if isVersion1 || path == nil && line[..<first].elementsEqual("0".utf8) { path = line[second...].dropFirst() }
      if isVersion1 { break }
    }
    guard let path else { return nil }
    // systemd prefixes a component with an underscore if it could be mistaken for a kernel file.
    let parts = path.split(separator: UInt8(ascii: "/")).map { Substring($0.first == UInt8(ascii: "_") ? $0.dropFirst() : $0) }
    guard let unit = parts.first(where: { !isSlice($0) }), isName(unit) else { return nil }
    return String(unit)
  }

  private static func isSlice(_ name: Substring) -> Bool { name.ends(with: ".slice") && isName(name) }

  /// Whether the text is a valid unit name (systemd.unit(5)).
  private static func isName(_ name: Substring) -> Bool {
    guard name.utf8.count <= 255, let dot = name.lastIndex(of: "."), types.contains(name[name.index(after: dot)...]) else {
      return false
    }
    let stem = name[..<dot]
    guard !stem.isEmpty, stem.unicodeScalars.allSatisfy(isUnitScalar) else { return false }
    guard let at = stem.firstIndex(of: "@") else { return true }
    return at != stem.startIndex && stem.index(after: at) != stem.endIndex
  }

  private static func isUnitScalar(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isNameScalar || scalar == ":" || scalar == "\\" || scalar == "@"
  }
}

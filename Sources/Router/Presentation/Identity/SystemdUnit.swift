enum SystemdUnit {
  private static let types: Set<Substring> = [
    "service", "socket", "target", "device", "mount", "automount", "swap", "timer", "path", "slice", "scope",
  ]

  /// The unit of a process by the rule of sd_pid_get_unit(3), from the content of `/proc/PID/cgroup`: the first part of its
  /// control group's path that is not a slice. Everything under a user's own manager is `user@UID.service`.
  static func name(ofCgroups cgroups: String) -> String? {
    let lines = cgroups.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false) }
    // systemd's own hierarchy of version 1 where there is one, else the one hierarchy of version 2.
    let line = lines.first { $0.count == 3 && $0[1] == "name=systemd" } ?? lines.first { $0.count == 3 && $0[0] == "0" }
    guard let path = line?[2] else { return nil }
    // A part that could be taken for a file of the kernel's has an underscore before it.
    let parts = path.split(separator: "/").map { $0.first == "_" ? $0.dropFirst() : $0 }
    guard let unit = parts.first(where: { !isSlice($0) }), isName(unit) else { return nil }
    return String(unit)
  }

  private static func isSlice(_ name: Substring) -> Bool { name.hasSuffix(".slice") && isName(name) }

  /// Whether it is a unit's name (systemd.unit(5)), with an instance where it has an `@`.
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

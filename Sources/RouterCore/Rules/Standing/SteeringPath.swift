import OrderedCollections

/// The paths of files that steer a program: settings that it reads, or files that name programs to run. A change to such a file
/// can amount to any command.
///
/// A person is asked each time: no remembered answer and no rule covers these paths. Hidden names count as steering unless
/// known to be harmless, because programs keep their settings there; other names count if the table lists them. The table omits
/// a project's own programs, such as its tests.
package enum SteeringPath {
  /// Hidden names that neither name a program nor configure one that runs others.
  private static let harmless: Set = [".", "..", ".gitignore", ".gitkeep", ".keep", ".nojekyll", ".well-known"]

  /// The reason for hidden names that the table does not list.
  private static let hidden = "programs keep their settings in hidden files"

  /// Lowercase names of files and folders, grouped by effect. `*` matches any text.
  private static let table: [(why: String, names: [String])] = [
    // A folder with HEAD, objects, refs and config is also a repository.
    ("git runs programs that it names", [".git", ".gitattributes", ".gitconfig", ".gitmodules", "git~1", "*.git", "head"]),
    (
      "agents obey it",
      [
        ".claude", ".claude.json", ".codex", ".cursor", ".cursorrules", ".gemini", ".mcp.json", ".windsurfrules",
        "claude.md", "claude.local.md", "agents.md", "agents.override.md", "agent.md", "gemini.md", "qwen.md", "skill.md",
        "copilot-instructions.md", "*.mcp.json", "mcp.json",
      ]
    ),
    (
      "a shell runs it",
      [
        ".bashrc", ".bash_*", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".envrc", ".env", ".env.*", ".inputrc",
        ".ssh", "crontab", "cron.*",
      ]
    ),
    ("an editor runs what it names", [".vscode", ".idea", ".zed", ".vimrc", ".exrc", ".nvim*", ".emacs*", "*.code-workspace"]),
    ("programs are found there by name", ["bin", "sbin"]),
    ("it starts with the session", ["autostart", "*.desktop", "*.service", "*.timer", "*.socket", "*.path"]),
    (
      "builds, tests and installations run what it names",
      [
        "makefile*", "gnumakefile", "*.mk", "justfile", "taskfile.*", "rakefile", "gruntfile.*", "gulpfile.*", "procfile",
        "jenkinsfile", "vagrantfile", "dockerfile*", "*.dockerfile", "containerfile*", "docker-compose*", "compose.yml",
        "compose.yaml", "package.json", "package-lock.json", "npm-shrinkwrap.json", "pnpm-*.yaml", "yarn.lock", "bun.lock*",
        "bunfig.toml", "lerna.json", "nx.json", "turbo.json", "deno.json*", "tsconfig*", "jsconfig.json",
        "binding.gyp", "*.config.*", "pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "noxfile.py", "pytest.ini",
        "conftest.py", "sitecustomize.py", "usercustomize.py", "requirements*.txt", "pipfile*", "uv.lock", "poetry.lock",
        "*.pth",
        "cargo.toml", "cargo.lock", "build.rs", "go.mod", "go.sum", "go.work", "package.swift", "package.resolved", "pom.xml",
        "*.gradle", "*.gradle.kts", "gradlew*", "mvnw*", "gradle-wrapper.*", "gradle.properties", "gemfile*", "*.gemspec",
        "composer.json", "composer.lock", "*.csproj", "*.fsproj", "*.vcxproj", "*.sln", "*.props", "*.targets", "nuget.config",
        "cmakelists.txt", "*.cmake", "cmakepresets.json", "cmakeuserpresets.json", "meson.build", "meson_options.txt",
        "configure", "configure.ac",
        "sconstruct", "sconscript", "wscript", "build.bazel", "workspace.bazel", "module.bazel", "*.bzl",
        "flake.nix", "flake.lock", "shell.nix", "default.nix", "devbox.json", "mise.toml", "lefthook.*", "mix.exs",
        "rebar.config",
        "stack.yaml", "*.cabal", "dub.json", "build.zig", "build.sbt", "build.xml", "ansible.cfg", "*.tf", "*.tfvars",
      ]
    ),
    ("programs load code from it", ["node_modules", "site-packages", "dist-packages"]),
  ]

  /// System folders with files that apply to all programs.
  private static let system = [
    "/boot", "/dev", "/etc", "/lib", "/lib64", "/proc", "/run", "/sys", "/usr/lib", "/usr/lib64", "/usr/libexec",
    "/usr/local/etc", "/usr/local/lib", "/usr/share", "/var/lib", "/var/spool",
  ]

  /// The whole names of the table, with their reasons.
  private static let names: [String: String] = table.reduce(into: [:]) { names, row in
    for name in row.names where !name.contains("*") { names[name] = row.why }
  }

  /// The names with a `*`, split into prefix and suffix. A name between two stars matches inside a text.
  private static let patterns: [(start: String, end: String, inside: String, why: String)] = table.flatMap { row in
    row.names.filter { $0.contains("*") }.map { name in
      let parts = name.split(at: "*", omittingEmptySubsequences: false).map(String.init)
      return (parts[0], parts[parts.count - 1], parts.count == 3 ? parts[1] : "", row.why)
    }
  }
}

extension SteeringPath {
  private static let (maximumBytes, maximumDepth) = (4096, 128)

  /// Returns the steering part of a path with the reason, such as `.git (git runs programs that it names)`; `nil` if there is
  /// none.
  package static func reason(_ path: String) -> String? {
    let components = path.utf8.split(separator: UInt8(ascii: "/"), maxSplits: maximumDepth)
    guard path.utf8.count <= maximumBytes, components.count <= maximumDepth else {
      return "the path (it is too long to be looked at)"
    }
    if let folder = system.first(where: { path.isFolder($0) }) { return "\(folder) (all programs obey its files)" }
    for component in components {
      let text = String(Substring(component))
      if let why = why(text.foldedFileName) { return "\(text.shortened) (\(why))" }
    }
    return nil
  }

  private static func why(_ name: String) -> String? {
    if harmless.contains(name) { return nil }
    if let why = names[name] { return why }
    let bytes = Array(name.utf8)
    for pattern in patterns
    where bytes.starts(with: pattern.start.utf8) && bytes.reversed().starts(with: pattern.end.utf8.reversed()) {
      if pattern.inside.isEmpty || bytes.contains(pattern.inside.utf8) { return pattern.why }
    }
    return name.utf8.first == UInt8(ascii: ".") ? hidden : nil
  }
}

extension String {
  /// Whether the path is a folder, or lies in it.
  fileprivate func isFolder(_ folder: String) -> Bool {
    guard utf8.starts(with: folder.utf8) else { return false }
    return utf8.count == folder.utf8.count || utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/")
  }

  /// The file name in canonical form for file systems that ignore case, invisible characters, trailing dots, or text after a
  /// colon.
  fileprivate var foldedFileName: String {
    if self == "." || self == ".." { return self }
    if utf8.allSatisfy({ $0 < 0x80 }) {
      var name = utf8.prefix { $0 != UInt8(ascii: ":") }.map(\.lowercasedASCII)
      while let last = name.last, last == UInt8(ascii: ".") || last == UInt8(ascii: " ") { name.removeLast() }
      return String(decoding: name, as: UTF8.self)
    }
    var name = unicodeScalars.filter { !$0.properties.isDefaultIgnorableCodePoint }.prefix { $0 != ":" }
    while let last = name.last, last == "." || last == " " { name.removeLast() }
    // Converts both ways, because some letters, such as the Kelvin sign and the long s, have a counterpart in only one
    // direction.
    return String(String.UnicodeScalarView(name)).uppercased().lowercased()
  }
}

extension Act {
  /// The variable in which a requester lists other hard links of the file, which a change to the file also affects.
  package static let hardLinks = "hard links"

  /// The steering part of the act, with the reason; `nil` for a command or an ordinary file.
  package var steering: String? {
    if let links = environment[Self.hardLinks] {
      return "hard links (the file has \(links.shortened) names, perhaps elsewhere)"
    }
    guard arguments == nil, let object, object.mayBePath else { return nil }
    return SteeringPath.reason(object)
  }
}

extension String {
  /// Whether a program may treat the text as a path: neither a URL nor several words.
  fileprivate var mayBePath: Bool {
    if ["https://", "http://"].contains(where: { utf8.starts(with: $0.utf8) }) { return false }
    return utf8.first.map("/.~".utf8.contains) ?? false || !unicodeScalars.contains { $0.properties.isWhitespace }
  }
}

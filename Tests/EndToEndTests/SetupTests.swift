import Foundation
import Router
import TestSupport
import Testing

/// `routerctl setup` in a new home directory, with a service manager that notes what it is told.
@Suite(.timeLimit(.minutes(10)))
struct SetupTests {
  private let home: TemporaryDirectory

  init() throws {
    home = try TemporaryDirectory()
    try FileManager.default.createDirectory(atPath: home.file("bin"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(atPath: home.file("run"), withIntermediateDirectories: true)
    try program("bash", "exit 0")
    try program("fish", "exit 0")
    try program("systemctl", "echo \"$*\" >>\"$HOME/told\"; case $* in *is-enabled*|*is-active*) exit 1;; esac")
  }

  private func program(_ name: String, _ script: String) throws {
    try home.write("#!/bin/sh\n\(script)\n", to: "bin/" + name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home.file("bin/" + name))
  }

  private func routerctl(_ arguments: String..., status: Int32 = 0, environment: [String: String] = [:]) async throws
    -> [String]
  {
    let command = try ChildProcess(
      "routerctl", arguments,
      environment: [
        "HOME": home.path, "XDG_RUNTIME_DIR": home.file("run"), "PATH": home.file("bin"), "DISPLAY": ":0",
        "XDG_CONFIG_HOME": "",
        "XDG_STATE_HOME": "", "XDG_DATA_HOME": "", "ROUTERD_SOCKET": "",
      ].merging(environment) { $1 })
    let output = await command.allOutput()
    await command.expectExit(status)
    return output
  }

  /// All that is in the home directory but this test's own, directories with a slash at the end.
  private var files: [String] {
    let found = FileManager.default.enumerator(atPath: home.path)?.allObjects as? [String] ?? []
    let own = found.filter { $0.hasPrefix(".") }.map { path in
      let type = try? FileManager.default.attributesOfItem(atPath: home.file(path))[.type] as? FileAttributeType
      return type == .typeDirectory ? path + "/" : path
    }
    return own.sorted()
  }

  @Test func `it says what it does, does it once, and takes back exactly that`() async throws {
    let before = files
    let first = try await routerctl("setup")
    for path in [
      ".config/routerd/routerd.yaml", ".config/systemd/user/routerd.service",
      ".config/systemd/user/routerd.service.d/page.conf",
      ".local/share/bash-completion/completions/routerctl", ".local/share/fish/vendor_completions.d/routerctl.fish",
      ".config/autostart/router.desktop",
    ] {
      #expect(first.contains { $0.hasPrefix("wrote \(home.path)/\(path): ") }, "\(path): \(first)")
    }
    #expect(first.contains("started routerd, now and at each login"))
    #expect(!first.contains { $0.contains("zsh") })
    let told = try String(contentsOfFile: home.file("told"), encoding: .utf8)
    #expect(told.contains("--user daemon-reload\n") && told.hasSuffix("--user enable --now routerd.service\n"))

    let unit = try String(contentsOfFile: home.file(".config/systemd/user/routerd.service"), encoding: .utf8)
    #expect(unit.contains("\nExecStart=\(ChildProcess.products.path)/routerd\n"))
    let entry = try String(contentsOfFile: home.file(".config/autostart/router.desktop"), encoding: .utf8)
    #expect(entry.contains("\nExec=\"\(ChildProcess.products.path)/routerctl\" \"web\" \"--open\"\n"))
    let check = try ChildProcess(
      "routerd", ["--check", "--config", home.file(".config/routerd/routerd.yaml")], environment: ["HOME": home.path])
    #expect(
      await check.allOutput().contains { $0.hasPrefix("  address: \"127.0.0.1:") || $0.hasPrefix("  address: 127.0.0.1:") })

    let again = try await routerctl("setup")
    #expect(!again.contains { $0.hasPrefix("wrote ") }, "\(again)")

    let undone = try await routerctl("setup", "--undo")
    #expect(undone.contains("stopped routerd, and disabled it at login"))
    #expect(files == before, "\(undone)")
    #expect(try String(contentsOfFile: home.file("told"), encoding: .utf8).contains("--user disable --now routerd.service\n"))
    #expect(try await routerctl("setup", "--undo") == ["Nothing to undo: setup has not run for this user."])
  }

  @Test func `--ssh-agent puts a unit in front of the user's agent, and takes it back`() async throws {
    let unit = ".config/systemd/user/router-ssh-agent.service"
    let output = try await routerctl("setup", "--ssh-agent", environment: ["SSH_AUTH_SOCK": home.file("run/gcr/ssh")])
    #expect(output.contains(#"export SSH_AUTH_SOCK="$XDG_RUNTIME_DIR/router-ssh-agent.sock""#))
    let text = try String(contentsOfFile: home.file(unit), encoding: .utf8)
    #expect(text.contains("\nEnvironment=UPSTREAM=%t/gcr/ssh\n"))
    #expect(text.contains("\nExecStart=\(ChildProcess.products.path)/routerctl ssh-agent --upstream ${UPSTREAM} "))
    _ = try await routerctl("setup", "--undo")
    #expect(!files.contains(unit))
    let told = try String(contentsOfFile: home.file("told"), encoding: .utf8)
    for words in ["enable --now", "disable --now"] { #expect(told.contains("--user \(words) router-ssh-agent.service\n")) }
    // Another agent's socket may change at the next login, and its own is not in front of itself.
    for other in ["/tmp/ssh-x/agent.1", home.file("run/router-ssh-agent.sock"), ""] {
      _ = try await routerctl("setup", "--ssh-agent", environment: ["SSH_AUTH_SOCK": other])
      #expect(
        try String(contentsOfFile: home.file(unit), encoding: .utf8).contains("\nEnvironment=UPSTREAM=%t/openssh_agent\n"))
      _ = try await routerctl("setup", "--undo")
    }
  }

  @Test func `it leaves files of the user's alone, before and after`() async throws {
    try home.write("logLevel: info\n", to: ".config/routerd/routerd.yaml")
    try home.write("# mine\n", to: ".config/autostart/router.desktop")
    let output = try await routerctl("setup")
    #expect(output.contains { $0.hasPrefix("skipped: \(home.path)/.config/routerd/routerd.yaml is yours") })
    #expect(output.contains { $0.hasPrefix("skipped: \(home.path)/.config/autostart/router.desktop is yours") })
    let unit = home.file(".config/systemd/user/routerd.service")
    try home.write("# changed\n", to: ".config/systemd/user/routerd.service")
    #expect(try await routerctl("setup").contains { $0.hasPrefix("skipped: \(unit) is yours") })
    #expect(try await routerctl("setup", "--undo").contains { $0.hasPrefix("skipped: \(unit) has changed since setup") })
    #expect(
      files.filter { !$0.hasSuffix("/") } == [
        ".config/autostart/router.desktop", ".config/routerd/routerd.yaml", ".config/systemd/user/routerd.service",
      ])
    #expect(try String(contentsOfFile: home.file(".config/routerd/routerd.yaml"), encoding: .utf8) == "logLevel: info\n")
    #expect(try String(contentsOfFile: unit, encoding: .utf8) == "# changed\n")
  }

  @Test func `it neither follows nor removes a link of the user's`() async throws {
    let (entry, unit) = (home.file(".config/autostart/router.desktop"), home.file(".config/systemd/user/routerd.service"))
    let files = FileManager.default
    try files.createDirectory(atPath: home.file(".config/autostart"), withIntermediateDirectories: true)
    try files.createSymbolicLink(atPath: entry, withDestinationPath: "/nonexistent/router.desktop")
    #expect(try await routerctl("setup").contains { $0.hasPrefix("skipped: \(entry) is yours") })
    // Moved to a directory of dotfiles.
    try files.moveItem(atPath: unit, toPath: home.file("unit"))
    try files.createSymbolicLink(atPath: unit, withDestinationPath: home.file("unit"))
    #expect(try await routerctl("setup", "--undo").contains { $0.hasPrefix("skipped: \(unit) has changed since setup") })
    #expect(try files.destinationOfSymbolicLink(atPath: entry) == "/nonexistent/router.desktop")
    #expect(try files.destinationOfSymbolicLink(atPath: unit) == home.file("unit"))
    #expect(
      self.files.filter { !$0.hasSuffix("/") } == [".config/autostart/router.desktop", ".config/systemd/user/routerd.service"])
  }

  @Test func `without a service manager and a desktop it says what to do`() async throws {
    try program("systemctl", "echo 'Failed to connect to bus' >&2; exit 1")
    let output = try await routerctl("setup", environment: ["DISPLAY": "", "WAYLAND_DISPLAY": ""])
    let advice = output.first { $0.hasPrefix("systemd does not run user services here") }
    #expect(advice?.hasSuffix("/routerd") == true && advice?.contains("the first program that asks") == true)
    #expect(!FileManager.default.fileExists(atPath: home.file(".config/systemd")))
    _ = try await routerctl("setup", "--undo")
    #expect(!FileManager.default.fileExists(atPath: home.file(".config")))
  }

  @Test func `a service that does not start is a failure with the reason`() async throws {
    try program("systemctl", "case $* in *is-*) exit 1;; *enable*) echo 'Job for routerd.service failed.' >&2; exit 1;; esac")
    let command = try ChildProcess(
      "routerctl", ["setup"],
      environment: ["HOME": home.path, "XDG_RUNTIME_DIR": home.file("run"), "PATH": home.file("bin"), "XDG_CONFIG_HOME": ""])
    #expect(await command.line(with: "cannot start routerd") != nil)
    await command.expectExit(6)
  }
}

import ArgumentParser
import CSetup
import Glibc
import Router
import RouterClient
import RouterCommandLine
import RouterFrontEnds

/// The steps of `routerctl setup`. Each prints what it did.
struct UserSetup {
  let paths: DefaultPaths
  var record: SetupRecord
  var service = UserService()

  private let home = AgentHost.userHome
  private var config: String { environmentVariable("XDG_CONFIG_HOME") ?? home + "/.config" }
  private var data: String { environmentVariable("XDG_DATA_HOME") ?? home + "/.local/share" }
  private let program = RealProgram.own
  private var directory: String { program.parentDirectory }
  /// The directory of data files that a package installs with the program.
  private var share: String { directory.parentDirectory + "/share" }

  mutating func install(sshAgent: Bool) async throws {
    try installPage()
    try await installService()
    if sshAgent { try await installSSHAgent() }
    try installCompletions()
    try installPresenter()
    if !sshAgent { Self.say("Ask before your ssh agent uses a key with: routerctl setup --ssh-agent") }
    Self.say("Undo all of this with: routerctl setup --undo")
  }

  mutating func undo() async throws {
    guard !record.isEmpty else { return Self.say("Nothing to undo: setup has not run for this user.") }
    if record.hasEnabledService, await service.isThere {
      try await service.change("disable --now routerd.service", to: "stop routerd")
      Self.say("stopped routerd, and disabled it at login")
    }
    if record.files[sshAgentUnit] != nil, await service.isThere {
      try await service.change("disable --now router-ssh-agent.service", to: "stop the ssh agent")
      Self.say("stopped router-ssh-agent, and disabled it at login")
    }
    for path in record.files.keys.reversed() {
      switch try record.file(path).put(nil) {
      case .unchanged: break
      case .changed: Self.say("removed \(path)")
      case .kept: Self.say("skipped: \(path) has changed since setup. Remove it if you do not need it")
      }
    }
    if await service.isThere { _ = try await service.run("daemon-reload") }
    record.remove()
    if access(paths.database, F_OK) == 0 { Self.say("Your log is kept in \(paths.database).") }
  }

  // MARK: Steps

  /// Enables the page in the configuration file. Creates the file if it does not exist.
  private mutating func installPage() throws {
    let path = paths.configuration
    switch record.file(path).effect(of: nil) {
    case .changed: Self.say("already set up: \(path)")
    case .unchanged:
      let text = """
        # Written by routerctl setup. routerd --check prints all settings.
        web:
          address: 127.0.0.1:\(try LoopbackPort.free(from: 8170))

        """
      try put(text, at: path, "enables the page")
    case .kept:
      Self.say("skipped: \(path) is yours. To enable the page, set web.address in it, for example to 127.0.0.1:8170")
    }
  }

  private mutating func installService() async throws {
    let daemon = directory + "/routerd"
    guard await service.isThere else {
      return Self.say(
        "systemd does not run user services here: the first program that asks or presents starts \(daemon.shellQuoted)"
      )
    }
    let units = config + "/systemd/user"
    let own = units + "/routerd.service"
    let found = await service.property("FragmentPath")
    if found.isEmpty || found == own {
      let unit = String(cString: setup_routerd_service()).replacing("/usr/local/bin/routerd", with: daemon)
      try put(unit, at: own, "the daemon's unit")
    } else {
      Self.say("already exists: \(found), the daemon's unit")
    }
    try put(
      String(cString: setup_page_conf()), at: units + "/routerd.service.d/page.conf", "lets the daemon serve the page")
    try await service.change("daemon-reload", to: "reload systemd's units")

    let (isEnabled, isActive) = (await service.isTrue("is-enabled"), await service.isTrue("is-active"))
    if isEnabled, isActive { return Self.say("already enabled: routerd, now and at each login") }
    let answers = (try? await RouterClient(reconnect: .never).checkHealth()) != nil
    let runsAlready = answers && !isActive
    record.hasEnabledService = true
    try record.save()
    try await service.change(runsAlready ? "enable routerd.service" : "enable --now routerd.service", to: "start routerd")
    Self.say(
      runsAlready
        ? "enabled routerd at each login. A daemon that systemd did not start is running. Stop it, then: systemctl --user start routerd"
        : "started routerd, now and at each login")
    Self.say("Open the page with: routerctl web --open")
  }

  private var sshAgentUnit: String { config + "/systemd/user/router-ssh-agent.service" }

  /// Installs the unit that asks for ssh keys, in front of the agent in `SSH_AUTH_SOCK` if that is in the runtime directory.
  private mutating func installSSHAgent() async throws {
    guard await service.isThere else { return Self.say("Start the ssh agent when you log in: routerctl ssh-agent") }
    var unit = String(cString: setup_ssh_agent_service()).replacing("/usr/local/bin/routerctl", with: program)
    let used = environmentVariable("SSH_AUTH_SOCK").flatMap { $0.rest(after: (paths.runtime ?? "") + "/") }.map(String.init)
    if let used, used != "router-ssh-agent.sock", used == used.shellQuoted {
      unit = unit.replacing("=%t/openssh_agent", with: "=%t/" + used)
    }
    try put(unit, at: sshAgentUnit, "asks before your ssh agent uses a key; UPSTREAM is your agent's socket")
    try await service.change("daemon-reload", to: "reload systemd's units")
    try await service.change("enable --now router-ssh-agent.service", to: "start the ssh agent")
    Self.say("started router-ssh-agent, now and at each login. Put this into your shell's profile:")
    Self.say("export SSH_AUTH_SOCK=\"$XDG_RUNTIME_DIR/router-ssh-agent.sock\"")
  }

  private mutating func installCompletions() throws {
    for shell in CompletionShell.allCases where RealProgram.path(of: shell.rawValue) != nil {
      if let everybody = shell.files.map({ share + $0 }).first(where: { access($0, R_OK) == 0 }) {
        Self.say("already exists: \(everybody)")
      } else {
        let hint = shell == .zsh ? "; put this before compinit in ~/.zshrc: fpath+=(\(data)/zsh/site-functions)" : ""
        try put(Routerctl.completionScript(for: shell), at: data + shell.files[0], "completions for \(shell.rawValue)\(hint)")
      }
    }
  }

  private mutating func installPresenter() throws {
    let sessions = ["/usr/share/xsessions", "/usr/share/wayland-sessions"]
    let displays = ["DISPLAY", "WAYLAND_DISPLAY"]
    guard displays.contains(where: { environmentVariable($0) != nil }) || sessions.contains(where: { access($0, F_OK) == 0 })
    else {
      return Self.say("No desktop found. Answer in a terminal with: routerctl present")
    }
    let script = share + "/router/presenters/zenity"
    let hasZenity = access(script, X_OK) == 0 && RealProgram.path(of: "zenity") != nil
    let words = hasZenity ? [program, "present", "--name", "zenity", "--exec", script] : [program, "web", "--open"]
    let entry = """
      [Desktop Entry]
      Type=Application
      Name=Router
      Comment=Show prompts from programs
      Exec=\(words.map(\.desktopQuoted).joined(separator: " "))
      NoDisplay=true

      """
    try put(
      entry, at: config + "/autostart/router.desktop",
      "\(hasZenity ? "zenity windows" : "the page in your browser") from your next login")
  }

  // MARK: Files

  /// Writes a file, unless it exists and setup did not write it.
  private mutating func put(_ text: String, at path: String, _ purpose: String) throws {
    switch try record.write(text, to: path) {
    case .unchanged: Self.say("already exists: \(path)")
    case .changed: Self.say("wrote \(path): \(purpose)")
    case .kept(let why): Self.say("skipped: \(path)\(why.map { ": \($0)" } ?? " is yours") (\(purpose))")
    }
  }

  static func say(_ text: String) { StandardStream.output.message(text.escapedForTerminal()) }
}

extension String {
  /// The text as one argument in the `Exec` line of a desktop entry.
  fileprivate var desktopQuoted: String {
    var text = replacing(each: "\\", with: "\\\\")
    for scalar in "\"`$".unicodeScalars { text = text.replacing(each: scalar, with: "\\\(scalar)") }
    // The line is a string value of the file, with each backslash doubled.
    return "\"" + text.replacing(each: "\\", with: "\\\\").replacing(each: "%", with: "%%") + "\""
  }
}

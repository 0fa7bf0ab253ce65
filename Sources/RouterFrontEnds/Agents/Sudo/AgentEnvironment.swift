import Glibc
import Router
import RouterCommandLine

/// A directory with the link `sudo` and a file of shell commands, which makes an agent's commands ask for passwords through
/// Router.
struct AgentEnvironment: Sendable {
  let directory: String

  static var own: AgentEnvironment { AgentEnvironment(directory: AgentHost.userHome + "/.local/lib/router/agent") }

  /// The file that shells read before a command.
  var file: String { directory + "/environment" }
  var askpass: String { directory + "/router-askpass" }

  var text: String {
    let (place, askpass) = (directory.shellQuoted, askpass.shellQuoted)
    return """
      # Written by "routerctl agent install": the commands of agents ask for passwords through Router.
      export SUDO_ASKPASS=\(askpass) SSH_ASKPASS=\(askpass) SSH_ASKPASS_REQUIRE=force
      export GIT_ASKPASS=\(askpass) GIT_TERMINAL_PROMPT=0
      case ":$PATH:" in *:\(place):*) ;; *) export PATH=\(place):"$PATH" ;; esac

      """
  }

  private var files: [(file: InstalledFile, content: InstalledFile.Content)] {
    let links = ["sudo", "router-askpass"].map { name in
      (FrontEndsCommand.link(directory + "/" + name), InstalledFile.Content.link(to: RealProgram.own))
    }
    let text = InstalledFile(path: file) { content in
      if case .file(let bytes) = content { bytes.starts(with: "# Written by \"routerctl".utf8) } else { false }
    }
    return links + [(text, .text(self.text))]
  }

  /// Creates or updates the directory.
  func install() throws {
    do {
      try Directories.make(directory, mode: 0o755)
    } catch {
      throw CommandFailure(.defect, "cannot create \(directory): \(error)")
    }
    for (file, content) in files {
      guard case .kept = try file.put(content) else { continue }
      FrontEnd.warn("routerctl", "kept \(file.path): Router did not write it")
    }
  }
}

import ArgumentParser
import Glibc
import Router
import RouterCommandLine

/// `routerctl git-credential`, or `git-credential-router`: a git credential helper (gitcredentials(7), git-credential(1)).
struct GitCredential: FrontEndCommand {
  static let configuration = CommandConfiguration(
    commandName: "git-credential",
    abstract: "Ask for git's user names and passwords.",
    discussion: """
      A git credential helper that asks for missing credentials in one form. It stores nothing; list a helper that does before
      it. If the person closes the form, git stops. Without a daemon or a presenter, git falls back to its next helper,
      askpass or the terminal.

      EXAMPLES
        git config --global credential.helper router     # if git-credential-router is in PATH
        git config --global credential.helper '!routerctl git-credential'
        routerctl git-credential get < request
      """)
  static let links = ["git-credential-router"]

  @Argument(parsing: .captureForPassthrough) var arguments: [String] = []

  /// The maximum input size in bytes.
  private static let maximumBytes = 65_536

  static func run(_ arguments: [String]) async -> Int32 {
    let operation = arguments.first
    // git may add operations, and expects helpers to ignore unknown ones.
    guard let operation, ["get", "store", "erase"].contains(operation) else { return 0 }
    guard let input = try? InputFile.standardInput.bytes(for: "the credential") else { return 1 }
    let credential = Credential(String(keeping: input.prefix(maximumBytes)))
    let refusals = Refusals(credential)
    switch operation {
    case "store": refusals?.forget()
    case "erase": refusals?.remember()
    default: await get(credential, wasRefused: refusals?.isKnown == true)
    }
    return 0
  }

  private static func get(_ credential: Credential, wasRefused: Bool) async {
    let missing = ["protocol", "host"].filter { credential.values[$0] == nil }
    guard missing.isEmpty else {
      return FrontEnd.warn(
        "git-credential-router", "cannot ask: the credential has no \(missing.joined(separator: " and no ")). git names both")
    }
    guard let request = credential.request(wasRefused: wasRefused) else { return }
    var frontEnd = FrontEnd()
    // git starts a helper through another git process and sometimes a shell, both of which outlive the caller.
    let above = (ProcessIdentity.current.ancestry ?? []).dropFirst().prefix { $0.name.begins(with: "git") || $0.isPlainShell }
    frontEnd.callers = above.reversed().drop { $0.isPlainShell }.map(\.pid)
    switch await frontEnd.ask(request) {
    case .answered(.value(let value), _):
      var lines: [UInt8] = []
      for name in ["username", "password"] {
        let text = value[name]?.string.map { Array($0.utf8) } ?? credential.values[name]?.keptBytes ?? []
        guard !text.contains(where: { $0 == 0x0A || $0 == 0x0D || $0 == 0 }) else {
          return FrontEnd.warn("git-credential-router", "the \(name) contains a line break")
        }
        lines += "\(name)=".utf8 + text + "\n".utf8
      }
      StandardStream.output.bytes(lines)
    case .declined, .dismissed: StandardStream.output.line("quit=1")
    case .unavailable(let reason, _): FrontEnd.warn("git-credential-router", reason)
    case .expired: FrontEnd.warn("git-credential-router", "nobody answered in time")
    case .answered, .withdrawn: break
    }
  }

  /// A credential in git's format.
  struct Credential {
    /// The attributes with a single value.
    private(set) var values: [String: String] = [:]
    /// The server's `WWW-Authenticate` fields.
    private(set) var challenges: [String] = []

    /// Parses `name=value` lines up to an empty line. git for Windows ends lines with CR LF.
    init(_ text: String) {
      for line in text.lines {
        guard let (name, value) = line.cut(at: "=") else { break }
        // An empty value resets the list.
        if name == "wwwauth[]" {
          challenges = value.isEmpty ? [] : challenges + [String(value)]
        } else {
          values[String(name)] = String(value)
        }
      }
    }

    /// The URL without the user name.
    var address: String {
      let host = values["host"] ?? ""
      return "\(values["protocol"] ?? "")://\(host)\(values["path"].map { "/" + $0 } ?? "")"
    }

    /// The realm of the first challenge with a realm (RFC 9110, section 11.5).
    var realm: String? {
      for challenge in challenges {
        let parts = challenge.split(at: "\"", omittingEmptySubsequences: false)
        for (name, value) in zip(parts, parts.dropFirst()) where name.lowercased().ends(with: "realm=") { return String(value) }
      }
      return nil
    }

    /// Returns the form for the missing parts; `nil` if the credential is complete.
    func request(wasRefused: Bool) -> PresentationRequest? {
      guard values["password"] == nil else { return nil }
      let user = FormSchema.Property(name: "username", kind: .string, title: "User name", isRequired: true)
      let password = FormSchema.Property(
        name: "password", kind: .string, title: "Password or token", isRequired: true, format: .password)
      let fields = values["username"] == nil ? [user, password] : [password]
      var request = PresentationRequest(
        kind: .sheet, sheet: "git-credential", schema: FormSchema(properties: fields), timeout: FrontEnd.timeout,
        sensitive: true)
      let lines: [String?] = [
        "Sign in to \(address)", values["username"].map { "User: \($0)" }, realm.map { "Realm: \($0)" },
        wasRefused ? "The server refused the last password." : nil,
      ]
      request.setText(lines.compactMap(\.self).joined(separator: "\n"), title: "Sign in")
      return request
    }
  }

  /// Records that a server rejected a credential, as an empty file per protocol and host in the user's runtime directory.
  struct Refusals {
    private let directory: String
    private let file: String

    /// Fails if there is no runtime directory.
    init?(_ credential: Credential) {
      guard let runtime = DefaultPaths.current.runtime else { return nil }
      directory = runtime + "/router-git-refused"
      let place = "\(credential.values["protocol"] ?? "")-\(credential.values["host"] ?? "")"
      // Encodes any host as a valid file name without slashes.
      file = directory + "/" + String(place.percentEncoded().prefix(200))
    }

    var isKnown: Bool { access(file, F_OK) == 0 }

    func remember() {
      mkdir(directory, 0o700)
      let descriptor = open(file, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      if descriptor >= 0 { close(descriptor) }
    }

    func forget() { unlink(file) }
  }
}

import Glibc
import OrderedCollections
import Router

/// A PAM request as described by pam_exec(8), and the rule for its approvers.
struct PamQuestion: Sendable {
  /// The reason for denying a request without asking.
  struct Denial: Error, Hashable {
    var reason: String
  }

  let request: PresentationRequest
  /// The users who may not approve: the requesting user and the owners of all its ancestors.
  let askers: Set<UInt32>
  /// The requesting users, and the authenticated user, unless that is root. A daemon that runs as one of them is not trusted.
  let parties: Set<UInt32>

  /// - Parameters:
  ///   - environment: The environment that pam_exec sets, as `NAME=value`.
  ///   - ancestry: This process, its parent, which runs pam_exec, and their ancestors.
  ///   - uid: Looks up a user's id by name.
  init(
    environment: [String], ancestry: ProcessAncestry, surface: String = "main", timeout: Duration,
    uid: (String) -> UInt32?
  ) throws(Denial) {
    // The application's own PAM environment, which a user may control, comes first: so a duplicate indicates forgery.
    var items: OrderedDictionary<String, String> = [:]
    for line in environment where line.begins(with: "PAM_") {
      guard let (before, value) = line.cut(at: "=") else { continue }
      let name = String(before)
      guard items.updateValue(String(value), forKey: name) == nil else {
        throw Denial(reason: "\(name) is set twice")
      }
    }
    func item(_ name: String) -> String? { items[name].flatMap { $0.isEmpty ? nil : $0 } }
    guard let type = item("PAM_TYPE"), ["auth", "account"].contains(type) else {
      throw Denial(reason: "PAM_TYPE is neither auth nor account: run pam-confirm from pam_exec")
    }
    guard let service = item("PAM_SERVICE") else { throw Denial(reason: "PAM_SERVICE is not set") }
    guard let asker = item("PAM_RUSER"), let askerID = uid(asker) else {
      throw Denial(reason: "PAM_RUSER does not name a user, so the requesting user is unknown")
    }
    guard askerID != 0 else { throw Denial(reason: "requests by root are not supported") }
    let callers = ProcessAncestry(Array(ancestry.processes.dropFirst()))
    guard let caller = callers.processes.first else { throw Denial(reason: "the requesting process has exited") }
    // polkit puts the administrator in PAM_RUSER. If its helper is a system service, the asking user is unknown.
    let users = ancestry.processes.map(\.uid).filter { $0 != 0 }
    guard !users.isEmpty else { throw Denial(reason: "no parent process belongs to a user, so the requesting user is unknown") }
    guard ancestry.isWhole else {
      throw Denial(reason: "a parent process cannot be read, so not all requesting users are known")
    }
    askers = Set(users + [askerID])
    let target = item("PAM_USER")
    let targetID = target.map(uid)
    if targetID == .some(nil) { throw Denial(reason: "PAM_USER does not name a user") }
    parties = askers.union([targetID ?? nil].compactMap(\.self).filter { $0 != 0 })
    guard let arguments = caller.arguments, !arguments.isEmpty else {
      throw Denial(reason: "the command cannot be read, or is too long to be shown in full")
    }

    var request = PresentationRequest(kind: .alert, surface: surface, priority: .high, timeout: timeout)
    request.title = "Allow \(Self.shown(service)) for \(Self.shown(asker))?".cut(toBytes: 1024)
    let lines: KeyValuePairs = [
      "Command": arguments.map(\.shellQuoted).joined(separator: " "), "Service": service, "Asked by user": asker,
      "Authenticates as": target ?? "", "Terminal": item("PAM_TTY") ?? "", "From host": item("PAM_RHOST") ?? "",
      "Processes": callers.text,
    ]
    let message = lines.filter { !$0.value.isEmpty }.map { "\($0.key): \(Self.shown($0.value))" }.joined(separator: "\n")
    // A person must not approve a command that is only partially shown.
    guard message.utf8.count <= 65_536 else { throw Denial(reason: "the command is too long to be shown in full") }
    request.message = message
    request.buttons = [
      PresentationRequest.Button(id: "allow", label: "Allow"),
      PresentationRequest.Button(id: "deny", label: "Deny", role: .cancel),
    ]
    // Backoff after refusals is per app; include the user so that one user's refusals do not delay another's requests.
    request.app = ProcessIdentity(uid: 0, gid: 0, pid: 0, executable: "\(service)-\(asker)").name
    request.metadata = ["service": Self.shown(service), "user": Self.shown(asker)]
    self.request = request
  }

  private static func shown(_ text: String) -> String { text.escapedForTerminal() }

  /// Returns the reason why an outcome is not an approval; `nil` for an approval.
  func denial(_ outcome: FrontEndOutcome) -> String? {
    switch outcome {
    case .answered(.button("allow"), let presentation):
      guard let resolver = presentation.resolvedBy?.process, resolver.host.isEmpty else {
        return "the approving user is unknown"
      }
      return askers.contains(resolver.uid) ? "the requesting user may not approve it" : nil
    case .declined(let presentation) where presentation.refusingRule != nil:
      return "the daemon's rule \(presentation.refusingRule ?? "") denies it"
    case .answered, .declined: return "a person pressed Deny"
    case .dismissed: return "a person closed the prompt"
    case .expired: return "nobody answered in time"
    case .withdrawn: return "the prompt was withdrawn"
    case .unavailable(let reason, _): return "cannot ask: \(reason)"
    }
  }
}

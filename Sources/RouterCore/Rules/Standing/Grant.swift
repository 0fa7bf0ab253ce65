/// The id of a grant: a UUIDv7.
package typealias GrantID = PresentationID

/// A remembered answer: its condition, duration and the person who gave it. Recorded by the event `granted`.
package struct Grant: Sendable, Hashable {
  /// The properties that a later request must share with the answered one.
  package struct Condition: Sendable, Hashable {
    package let owner: Owner
    package let surface: String
    package let verb: String
    package let width: GrantOffer.Width
    /// The digest of the part of the act that the width compares. A later act with an equal part is covered. Stored instead of
    /// the act, which may be large and is recorded with the request.
    package let digest: String
    /// The process that must be an ancestor of the requester, with the boot in which it started; `nil` for another period.
    package let session: Session?
    /// The executable that an ancestor of the requester must have; `nil` for a session, and for any program: the daemon could not
    /// read the executable for a grant without an end. Such a grant has ``Swift/String/withoutVersions`` of it.
    package let executable: String?
    /// The script that this ancestor must run, in the same form; `nil` for a session, and for none.
    package let script: String?
  }

  /// A process, distinguished from a later one with the same id.
  package struct Session: Sendable, Hashable {
    package let pid: Int32
    package let started: Int
    package let boot: String
  }

  /// The maximum size of ``cautions``, in bytes.
  static let maximumCautions = 1024

  package internal(set) var id: GrantID
  package let condition: Condition
  /// The answer's button and its label in the prompt. A later request must have both.
  package let button: String
  package let label: String
  /// Whether the answer is a "no".
  package let isRefusal: Bool
  /// The coverage in words, shortened for a long act.
  package let coverage: String
  /// The directory of the covered acts; `nil` if they have none, and in records of earlier versions.
  package let directory: String?
  /// The program of the answered command, which a later one must have unchanged; `nil` if it does not matter. Only for a grant
  /// without an end.
  package let program: ProgramFile?
  /// The requester's name.
  package let app: String
  /// The name of the process or executable that the grant is bound to.
  package let anchor: String
  package let grantedAt: Timestamp
  /// The end of the grant; `nil` for a session, and for always.
  package let until: Timestamp?
  /// The cautions in the answered prompt, except those about its act.
  package let cautions: Set<String>
  /// The answered presentation, and the party that answered it.
  package let presentation: PresentationID
  package let by: Presentation.Responder
}

extension Grant {
  /// Creates a grant from a choice that matches the offer.
  ///
  /// - Parameter act: The part of the presentation's act that the width compares.
  init(
    _ id: GrantID, _ choice: GrantChoice, _ button: PresentationRequest.Button, of presentation: Presentation,
    _ offer: GrantOffer,
    _ act: Act, by: Presentation.Responder, at now: Timestamp
  ) {
    let process = presentation.requester.process
    var (session, executable, script, until): (Session?, String?, String?, Timestamp?)
    switch choice.period {
    case .session:
      if let anchor = offer.anchor, let boot = offer.boot {
        session = Session(pid: anchor.pid, started: anchor.started, boot: boot)
      }
    case .seconds(let seconds):
      (executable, script) = (offer.anchor?.trustedExecutable, offer.anchor?.script)
      until = now.advanced(by: .seconds(seconds))
    case .always: (executable, script) = (offer.alwaysProgram?.executable, offer.alwaysProgram?.script)
    }
    condition = Condition(
      owner: process.owner, surface: presentation.request.surface, verb: act.verb, width: choice.width, digest: act.digest,
      session: session, executable: executable, script: script)
    (coverage, directory) = (choice.width.coverage(of: act), act.directory)
    program = choice.period == .always ? offer.program : nil
    (self.id, self.until, self.by, self.presentation) = (id, until, by, presentation.id)
    (self.button, label, isRefusal) = (button.id, button.label, button.role == .cancel)
    (app, anchor, grantedAt) = (presentation.requester.app, offer.anchor?.name ?? "", now)
    cautions = PromptCautions(presentation.request, by: presentation.requester).others
  }
}

extension Grant {
  /// Whether the grant has no end.
  package var isAlways: Bool { condition.session == nil && until == nil }

  /// Returns the reason to ask a person about a request that matches the grant; `nil` if the grant decides it.
  func obstacle(
    to act: Act, _ cautions: PromptCautions, _ commands: CommandTable, _ offer: GrantOffer
  ) -> CommandTable.Obstacle? {
    let width = condition.width
    if isAlways, let current = offer.program, current != program {
      let change = program == nil ? "whose file was not recorded" : "which is another file since \(current.changedAt)"
      return CommandTable.Obstacle(why: "runs \(current.path), \(change)")
    }
    // The prompt of an equal act showed the same cautions about it.
    let known = width.match == .exact ? cautions.ofAct : []
    if let new = (cautions.ofAct.filter { !known.contains($0) } + cautions.others.subtracting(self.cautions).sorted()).first {
      return CommandTable.Obstacle(why: "shows what the answered prompt did not: \(new)")
    }
    guard width.match == .prefix else { return nil }
    do throws(CommandTable.Obstacle) {
      // An earlier version, or another setting, may have made the grant.
      let isSame = try act.prefix(in: commands) == width.count
      return isSame ? nil : CommandTable.Obstacle(why: "has other words that say what happens")
    } catch {
      return error
    }
  }

  /// Whether the grant applies to a request, apart from the act.
  func applies(
    to request: PresentationRequest, by requester: Presentation.Requester, _ offer: GrantOffer, _ selfAnswer: SelfAnswerRule
  ) -> Bool {
    guard offer.buttons.contains(button), !isAlways || offer.periods.contains(.always),
      request.buttons.contains(where: { $0.id.isSame(as: button) && $0.label.isSame(as: label) }),
      isAnchored(requester.process, boot: offer.boot)
    else { return false }
    // The person's process at the time of the answer: the rules against self-answers apply at each use.
    if selfAnswer.forbids(by.process, toAnswer: requester.process) { return false }
    return !requester.isGuarded(request.agent, from: by.process)
  }

  /// Whether the grant's process is certainly an ancestor of the requester. An unreadable ancestry grants no permission, and
  /// lifts no refusal.
  private func isAnchored(_ process: ProcessIdentity, boot: String?) -> Bool {
    if isAlways, condition.executable == nil { return true }
    guard let ancestry = process.ancestry else { return isRefusal }
    if let session = condition.session {
      guard session.boot == boot else { return false }
      return ancestry.contains { $0.pid == session.pid && $0.started == session.started }
        || isRefusal && ancestry.count >= ProcessIdentity.Ancestor.limit
    }
    if let executable = condition.executable, ancestry.contains(where: { isProgram($0, executable) }) { return true }
    // A user's daemon cannot read other users' executables. The ancestry of every process includes init.
    let hasUnknown = ancestry.contains { $0.uid == nil && $0.trustedExecutable == nil }
    return isRefusal && (hasUnknown || ancestry.count >= ProcessIdentity.Ancestor.limit)
  }
}

extension Grant {
  private func isProgram(_ ancestor: ProcessIdentity.Ancestor, _ executable: String) -> Bool {
    guard isAlways else {
      // Records of earlier versions have no script.
      return ancestor.trustedExecutable?.isSame(as: executable) == true
        && (condition.script.map { ancestor.script?.isSame(as: $0) == true } ?? true)
    }
    guard let program = ancestor.program, program.executable.isSame(as: executable) else { return false }
    guard let script = program.script, let expected = condition.script else { return program.script == condition.script }
    return script.isSame(as: expected)
  }
}

extension ProcessIdentity.Ancestor {
  /// The trusted executable, and the script that it runs, which the process can change, as an answer for always compares them.
  fileprivate var program: (executable: String, script: String?)? {
    trustedExecutable.map { ($0.withoutVersions, script?.withoutVersions) }
  }
}

extension GrantOffer {
  /// The program that an answer for always is bound to; `nil` for any program.
  var alwaysProgram: (executable: String, script: String?)? { anchor?.program }
}

extension String {
  /// The path with `*` for each component that is a version such as `2.0.14` or `v22.1.0`: an update changes nothing else. A
  /// component `*` becomes `**`.
  var withoutVersions: String {
    split(at: "/", omittingEmptySubsequences: false).map { $0.isVersion ? "*" : $0 == "*" ? "**" : $0 }.joined(separator: "/")
  }
}

extension Substring {
  fileprivate var isVersion: Bool {
    let digits = utf8.first == UInt8(ascii: "v") ? dropFirst() : self
    let parts = digits.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return parts.count > 1 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
  }
}

extension Act {
  /// Returns the part of the act that a width compares; `nil` if the width does not apply. For a path, `directory` is its
  /// directory.
  func part(_ width: GrantOffer.Width) -> Act? {
    switch width.match {
    case .exact: return self
    case .prefix:
      guard let arguments, let count = width.count, arguments.count >= count else { return nil }
      return with(Array(arguments.prefix(count)), in: directory)
    case .under, .verb: return directory.map { with(nil, in: $0) }
    }
  }

  /// Returns the act with other arguments and without its object. Every width compares the remaining members.
  private func with(_ arguments: [String]?, in directory: String?) -> Act {
    var act = self
    (act.object, act.arguments, act.directory) = (nil, arguments, directory)
    return act
  }

  /// Returns the number of arguments in the prefix.
  ///
  /// - Throws: ``CommandTable/Obstacle`` if a grant may cover only the exact command.
  func prefix(in commands: CommandTable) throws(CommandTable.Obstacle) -> Int {
    guard let arguments, directory != nil else { throw CommandTable.Obstacle(why: "is no list of words in a directory") }
    // A longer command may hide details from a person, and from the search for risks.
    guard arguments.count <= 64, arguments.reduce(0, { $0 + $1.utf8.count }) <= 4096 else {
      throw CommandTable.Obstacle(why: "is long")
    }
    return try commands.prefix(of: arguments)
  }

  /// Returns the parts of acts that would cover this one: for a path, one per directory above it.
  func parts(coveredBy width: GrantOffer.Width) -> [Act] {
    if steering != nil { return [] }
    guard width.match == .under else { return part(width).map { [$0] } ?? [] }
    guard let object, isFile(below: ["/"]) == .yes else { return [] }
    var (directories, path) = (["/"], "")
    for component in object.split(at: "/").dropLast().prefix(128) {
      path += "/" + component
      directories.append(path)
    }
    return directories.map { with(nil, in: $0) }
  }
}

import Logging
import Router
import RouterConfiguration

/// Keeps the rules file in force. If the file belongs to the daemon's own user, a person must confirm each change, because that
/// user's programs can write the file; until then the recorded rules apply, even after a restart.
final class Rulebook: Sendable {
  /// The people who may confirm a changed rules file.
  enum Confirmation: String, Sendable, Hashable, CaseIterable {
    case person, none
  }

  /// A changed file awaiting confirmation.
  struct Pending: Sendable {
    let rules: RuleSet
    let since: Timestamp
    /// Ends with the answer, or when the file changes again.
    let task: Task<Void, Never>
  }

  private struct State {
    var pending: Pending?
    /// Why the file is invalid or unreadable.
    var problem: RouterError?
    /// The rules for shared surfaces.
    var accepted: RuleSet?
  }

  private let source: RulesSource
  /// The setting; `nil` means `person` if the file belongs to the daemon's user, other than root, and `none` otherwise.
  private let confirmation: Confirmation?
  private let commands: CommandTable
  private let local: Coordinators.Keeper
  private let names: UserNames
  private let worker: any TaskExecutor
  private let logger: Logger
  private let state = Mutex(State())

  init(
    _ configuration: DaemonConfiguration, local: Coordinators.Keeper, names: UserNames, worker: any TaskExecutor, logger: Logger
  ) {
    (source, confirmation) = (configuration.rules.source, configuration.rules.confirmation)
    commands = configuration.grants.commands
    (self.local, self.names, self.worker, self.logger) = (local, names, worker, logger)
  }

  var pending: Pending? { state.withLock(\.pending) }
  var problem: RouterError? { state.withLock(\.problem) }
  var path: String { source.path }

  /// The rules to put in force on shared surfaces.
  var accepted: RuleSet? { state.withLock(\.accepted) }

  /// Reads the file.
  ///
  /// - Throws: ``RouterError`` if the file is invalid; the rules in force remain.
  func load(_ coordinators: Coordinators, _ approvers: Approvers) async throws {
    let inForce = await local.coordinator.rules
    accept(inForce ?? RuleSet(file: source.path, text: "", rules: []), on: coordinators)
    do {
      // A name service may take seconds.
      let (content, rules) = try await names.run { [source, commands] in
        let content = try source.read()
        do {
          let file = try RulesFile(path: source.path, text: content.text, commands)
          try file.check(approvers)
          return (content, file.rules)
        } catch {
          throw RouterError(.invalid, "cannot use the rules: \(error)")
        }
      }
      if let problem = content.problem, inForce != nil { throw problem }
      state.withLock { $0.problem = nil }
      try await take(rules, replacing: inForce, mustConfirm: mustConfirm(content.owners), coordinators)
    } catch let error as RouterError {
      state.withLock { $0.problem = error }
      throw error
    }
  }

  private func mustConfirm(_ owners: Set<UInt32>) -> Bool {
    let uid = ProcessIdentity.current.uid
    return (confirmation ?? (owners.contains(uid) && uid != 0 ? .person : .none)) == .person
  }

  /// Sends rules to the shared surfaces, which put them in force if theirs differ.
  private func accept(_ rules: RuleSet, on coordinators: Coordinators) {
    state.withLock { $0.accepted = rules }
    for (_, keeper) in coordinators.shared { keeper.coordinator.send { $0.load(Event.RulesLoaded(rules)) } }
  }

  private func take(
    _ rules: RuleSet, replacing inForce: RuleSet?, mustConfirm: Bool, _ coordinators: Coordinators
  ) async throws {
    let isSameText = rules.digest == inForce?.digest || inForce == nil && rules.rules.isEmpty
    // Compares bytes, since equal strings may name different files.
    let isSame = rules.rules.map(JSONText.init) == (inForce?.rules ?? []).map(JSONText.init)
    if isSameText, isSame { return cancelPending() }
    // Rules with equal decisions need no confirmation, and user ids come from the system.
    guard mustConfirm, !isSameText, !isSame || inForce == nil else {
      cancelPending()
      return try await accept(Event.RulesLoaded(rules), coordinators)
    }
    if pending?.rules.digest == rules.digest { return }
    cancelPending()
    let request = Self.request(for: rules, replacing: inForce)
    let since = local.now
    let task = Task(executorPreference: worker) { [self] in await ask(request, for: rules, coordinators) }
    state.withLock { $0.pending = Pending(rules: rules, since: since, task: task) }
    logger.notice("changed rules wait for a person's confirmation", metadata: ["file": "\(source.path)"])
  }

  private func accept(_ loaded: Event.RulesLoaded, _ coordinators: Coordinators) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      local.coordinator.send { $0.load(loaded) { continuation.resume(with: $0.mapError { $0 }) } }
    }
    accept(loaded.rules, on: coordinators)
    logger.notice("rules are in force", metadata: ["rules": "\(loaded.rules.rules.count)", "sha256": "\(loaded.rules.digest)"])
  }

  private func cancelPending() {
    state.withLock { state in
      state.pending?.task.cancel()
      state.pending = nil
    }
  }

  // MARK: Confirming

  private func ask(_ request: PresentationRequest, for rules: RuleSet, _ coordinators: Coordinators) async {
    do {
      let ended = try await local.coordinator.submit(request, onDismiss: nil).resolved()
      let isOwn = state.withLock { state in
        guard state.pending?.rules.digest == rules.digest else { return false }
        state.pending = nil
        return true
      }
      guard isOwn, !Task.isCancelled else { return }
      guard ended.outcome == .answered(.button(Self.use)) else {
        let reason =
          "the rules in \(source.path) are not in force, because nobody confirmed them; to be asked again, reload routerd"
        state.withLock { $0.problem = RouterError(.invalid, reason) }
        return logger.notice("changed rules were not confirmed; the rules before stay in force")
      }
      for keeper in coordinators.all {
        // Excludes an agent with a request on a shared surface.
        guard await !keeper.coordinator.mayBeRecentAgent(ended.resolvedBy?.process) else {
          return logger.warning("rules were not changed: an agent that has asked lately confirmed them")
        }
      }
      try await accept(Event.RulesLoaded(rules, by: ended.resolvedBy), coordinators)
    } catch is CancellationError {
    } catch {
      logger.error("cannot put the changed rules in force", metadata: ["error": "\(error)"])
      state.withLock { state in
        if state.pending?.rules.digest == rules.digest { state.pending = nil }
        state.problem = error as? RouterError
      }
    }
  }

  private static let use = "use"

  /// Returns the prompt that shows the changes.
  private static func request(for rules: RuleSet, replacing inForce: RuleSet?) -> PresentationRequest {
    let isFirst = inForce == nil
    var request = PresentationRequest(
      kind: .alert, title: isFirst ? "Use these rules?" : "Use the changed rules?",
      message: "\(rules.file) \(isFirst ? "has rules" : "has changed") that decide requests without asking you. "
        + "A program that runs as you may have written them."
        + (isFirst ? " Until you answer, you are asked." : " Until you answer, the rules before stay in force."),
      buttons: [
        PresentationRequest.Button(id: use, label: isFirst ? "Use these rules" : "Use the changed rules"),
        PresentationRequest.Button(
          id: "keep", label: isFirst ? "Use no rules" : "Keep the rules before", role: .cancel, isDefault: true),
      ], priority: .high)
    request.options.severity = .critical
    let diff = UnifiedDiff.lines(from: inForce?.text ?? "", to: rules.text).joined(separator: "\n")
    request.attachments = [PresentationRequest.Attachment(.diff, diff, title: rules.file)]
    return request
  }
}

import Router

/// The time limits of one run of the hook.
struct HookLimit: Sendable {
  /// The prompt's timeout.
  let timeout: Duration
  /// The time within which pauses of the session do not count toward the timeout; `nil` if they count.
  let limit: Duration?
  /// The time after which the hook answers without a decision: a second before the host stops waiting. `nil` if the host then
  /// asks by itself.
  let end: Duration?
  /// When the host started the hook, or soon after.
  private let begin: ContinuousClock.Instant

  /// - Parameters:
  ///   - timeout: The prompt's timeout, if the installation sets one.
  ///   - limit: The host's limit less ``HookInstallation/margin``, if the installation sets one.
  init(_ clock: HookClock, timeout: Duration?, limit: Duration?, since begin: ContinuousClock.Instant = .now) {
    self.begin = begin
    let hostsLimit = (limit ?? timeout).map { $0 + HookInstallation.margin } ?? clock.standard
    self.timeout = min(timeout ?? AgentHook.defaultTimeout, hostsLimit - .seconds(2))
    self.limit = limit
    end = clock.lateness == .asks ? nil : hostsLimit - .seconds(1)
  }

  /// Performs the operation. If it takes too long, calls `atTheEnd`, which must end the process.
  func first<Result: Sendable>(
    _ operation: @escaping @Sendable () async -> Result, orAtTheEnd atTheEnd: @escaping @Sendable () -> Never
  ) async -> Result {
    guard let end else { return await operation() }
    let timer = Task {
      guard (try? await PresentationClock.system.sleep(for: end - (.now - begin))) != nil else { return }
      atTheEnd()
    }
    defer { timer.cancel() }
    return await operation()
  }
}

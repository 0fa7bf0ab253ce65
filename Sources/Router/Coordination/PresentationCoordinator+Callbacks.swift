import Logging
import OrderedCollections

extension PresentationCoordinator {
  /// What a program that is to be called back hears of a try.
  enum CallbackResult: Sendable {
    case accepted
    case failed(String)
    /// The coordinator stopped in the middle; whether it arrived is not known, and it is tried again after the next start.
    case interrupted
  }

  /// A presentation has ended whose program wants to be called.
  ///
  /// - Parameter row: As it is on record.
  func callBack(_ row: AuditRow) {
    guard let address = row.presentation.request.onDismiss, callbackSender != nil else { return }
    toCallBack[row.presentation.id] = row
    callbackSchedule.add(
      row.presentation.id, uid: row.presentation.requester.process.uid, socketPath: address.socketPath,
      attempts: row.presentation.callback?.attempts ?? 0)
  }

  /// Starts the callbacks whose time has come, unless the tries could not be recorded now.
  func startCallbacks() {
    guard case .running = phase, let callbackSender else { return }
    for id in callbackSchedule.due(at: clock.now()) {
      guard let presentation = toCallBack[id]?.presentation, let address = presentation.request.onDismiss else {
        preconditionFailure("\(id) is to be called back, and nobody knows where")
      }
      // Ends with the try, which the sender bounds; cancelled when the coordinator stops.
      callbackTries[id] = Task { [mailbox] in
        let result: CallbackResult
        do {
          try await callbackSender.send(presentation, to: address)
          result = .accepted
        } catch {
          result = Task.isCancelled ? .interrupted : .failed(String(describing: error))
        }
        mailbox.send(.triedToCallBack(id, result))
      }
    }
  }

  /// Puts on record what became of a try, and when the next one is.
  func triedToCallBack(_ id: PresentationID, _ result: CallbackResult) {
    callbackTries[id] = nil
    guard var row = toCallBack[id] else { return }
    var kind = AuditEvent.Kind.callbackFailed
    var detail: OrderedDictionary<String, JSONValue> = [:]
    let state: CallbackState
    switch result {
    case .interrupted: return
    case .accepted:
      kind = .callbackDelivered
      state = CallbackState(state: .delivered, attempts: callbackSchedule.succeeded(id))
    case .failed(let error):
      let error = String(error.unicodeScalars.prefix(500))
      let (fate, attempts) = callbackSchedule.failed(id, at: clock.now())
      detail["error"] = .string(error)
      switch fate {
      case .giveUp: state = CallbackState(state: .failed, attempts: attempts, lastError: error)
      case .tryAgain(let time):
        state = CallbackState(state: .pending, attempts: attempts, lastError: error)
        detail["nextIn"] = .seconds(time - clock.now())
      }
      logger.info("a dismiss callback was not accepted", metadata: ["presentation": "\(id)", "attempts": "\(attempts)"])
    }
    detail["attempts"] = .integer(state.attempts)
    row.presentation.callback = state
    toCallBack[id] = state.state == .pending ? row : nil
    note(
      AuditEntry(at: clock.wall(), kind: kind, presentation: id, detail: .object(detail), row: row), isKept: true)
  }

  /// Takes up what the coordinator before this one had not delivered.
  func restoreCallbacks() async throws {
    guard callbackSender != nil else { return }
    for row in try await reader.pendingCallbacks() { callBack(row) }
  }

  /// Ends the tries under way.
  func stopCallbacks() {
    for task in callbackTries.values { task.cancel() }
    callbackTries = [:]
  }
}

import Logging

struct PresentationAsking: Sendable {
  let broker: (any PresentationBroker)?
  let options: PresentationOptions
  let logger: Logger

  init(in environment: EnvironmentValues) {
    broker = environment.presentationBroker
    options = environment.presentationOptions
    logger = environment.presentationLogger
  }

  /// Asks and waits for the end. The request is in the broker's mailbox before the first suspension.
  nonisolated(nonsending) func ask(
    for what: String, options: PresentationOptions?, request: () throws -> PresentationRequest
  ) async throws -> PresentationOutcome {
    let (broker, request) = try prepare(what, options: options, request: request)
    guard !Task.isCancelled else { throw PresentationCancellation(reason: .cancelled(.requester)) }
    return try await broker.submit(request).outcome()
  }

  nonisolated(nonsending) func shown<Answer>(
    _ asked: TypedRequest<Answer>, _ options: PresentationOptions?
  ) async throws -> ShowOutcome<Answer> {
    try ShowOutcome(try await ask(for: asked.what, options: options, request: asked.request), read: asked.read)
  }

  /// Asks without waiting. The request is in the broker's mailbox when this returns; errors are logged.
  func post(
    _ what: String, options: PresentationOptions?, onDismiss: DismissCallback?, request: () throws -> PresentationRequest
  ) {
    do {
      let (broker, request) = try prepare(what, options: options, request: request)
      let handle = broker.submit(request, onDismiss: onDismiss.map(inThisEnvironment))
      handle.forgoAnswer()
      // Ends when the broker has accepted or refused the request, which it always does.
      Task {
        do {
          _ = try await handle.accepted()
        } catch {
          logger.report("cannot show what was asked for", error, what: what)
        }
      }
    } catch {
      logger.report("cannot show what was asked for", error, what: what)
    }
  }

  private func inThisEnvironment(_ onDismiss: @escaping DismissCallback) -> DismissCallback {
    let environment = EnvironmentValues.current
    return { await EnvironmentValues.$carried.withValue(environment) { await onDismiss() } }
  }

  /// Returns the broker and the request, which is created only if there is a broker.
  func prepare(
    _ what: String, options: PresentationOptions?, request: () throws -> PresentationRequest
  ) throws -> (any PresentationBroker, PresentationRequest) {
    guard let broker else {
      throw RouterError(
        .notInjected,
        "cannot show \(what): there is no presentation broker in the environment; set one with "
          + "withEnvironment(\\.presentationBroker, …)")
    }
    do {
      return (broker, try request().applying(options ?? self.options))
    } catch {
      throw error as? RouterError ?? RouterError(.invalid, "cannot show \(what): it cannot be encoded", cause: error)
    }
  }
}

extension Logger {
  /// Logs an error without its cause, which may contain the person's or the requester's text.
  func report(_ message: Logger.Message, _ error: any Error, what: String? = nil) {
    let error = error as? RouterError
    var metadata: Metadata = ["code": "\(error?.code.rawValue ?? "unknown")", "error": "\(error?.message ?? "unknown")"]
    if let what { metadata["what"] = "\(what)" }
    critical(message, metadata: metadata)
  }
}

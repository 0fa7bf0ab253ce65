import Logging

/// Sends the requests of ``ShowAction`` to the broker of an environment.
package struct PresentationAsking: Sendable {
  let broker: (any PresentationBroker)?
  package let options: PresentationOptions
  let logger: Logger

  /// Called with the error of a post that has no broker.
  package static let brokerForgotten = Mutex<(@Sendable (RouterError) -> Void)?>(nil)

  package init(in environment: EnvironmentValues) { self.init(environment.presentationBroker, in: environment) }

  init(_ broker: (any PresentationBroker)?, in environment: EnvironmentValues) {
    self.init(broker: broker, options: environment.presentationOptions, logger: environment.presentationLogger)
  }

  init(broker: (any PresentationBroker)?, options: PresentationOptions, logger: Logger) {
    (self.broker, self.options, self.logger) = (broker, options, logger)
  }

  /// Shows a prompt and returns the result. The request is in the broker's mailbox before the first suspension.
  nonisolated(nonsending) func shown<Answer>(
    _ asked: PresentationRequest.Typed<Answer>, _ options: PresentationOptions.Update
  ) async throws -> Result<Answer, NoAnswer> {
    let (broker, request) = try prepare(asked.what, options: options, request: asked.request)
    guard !Task.isCancelled else { throw NoAnswer.cancelled(.requester) }
    return try Result(try await broker.submit(request).outcome(), read: asked.read)
  }

  /// Shows a prompt without waiting. The request is in the broker's mailbox when this returns; errors are logged.
  func post<Answer>(
    _ asked: PresentationRequest.Typed<Answer>, _ options: PresentationOptions.Update, _ onDismiss: DismissCallback?
  ) -> PresentationHandle {
    do {
      let (broker, request) = try prepare(asked.what, options: options, request: asked.request)
      let handle = broker.submit(request, onDismiss: onDismiss.map(inThisEnvironment))
      handle.forgoAnswer()
      // Ends when the broker has accepted or refused the request, which it always does.
      Task {
        do {
          _ = try await handle.accepted()
        } catch {
          logger.report("cannot show what was asked for", error, what: asked.what)
        }
      }
      return handle
    } catch {
      logger.report("cannot show what was asked for", error, what: asked.what)
      let error = error as? RouterError ?? RouterError(.invalid, "cannot show \(asked.what)", cause: error)
      if error.code == .notInjected { Self.brokerForgotten.withLock(\.self)?(error) }
      let handle = PresentationHandle(withdraw: {})
      handle.end(.failure(error))
      return handle
    }
  }

  private func inThisEnvironment(_ onDismiss: @escaping DismissCallback) -> DismissCallback {
    let environment = EnvironmentValues.current
    return { await EnvironmentValues.$carried.withValue(environment) { await onDismiss() } }
  }

  /// Returns the broker and the request, which is created only if there is a broker.
  package func prepare(
    _ what: String, options: PresentationOptions.Update, request: () throws -> PresentationRequest
  ) throws -> (any PresentationBroker, PresentationRequest) {
    guard let broker else {
      throw RouterError(
        .notInjected,
        "cannot show \(what): there is no presentation broker in the environment; set one with "
          + "withEnvironment(\\.presentationBroker, …)")
    }
    do {
      return (broker, try request().applying(self.options.updated(by: options)))
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

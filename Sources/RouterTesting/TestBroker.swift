public import Router

/// The broker of one test: a ``TestRouter`` in the test's process, or a ``TestDaemon``.
///
/// A function that takes `some TestBroker` tests a program with both.
public protocol TestBroker: PresentationBroker {
  /// Reads the log.
  var reader: AuditReader { get }
  /// The test's requests and presenters.
  var work: TestWork { get }
  /// Ends open presentations as interrupted, and detaches the presenters. Ignores cancellation of the task.
  ///
  /// - Throws: ``RouterError`` with the code `unreachable` if a daemon has failed.
  func shutDown() async throws
}

extension TestBroker {
  /// Attaches a presenter for step-by-step control, or with a script that has a step for each showing. The test must play the
  /// entire script.
  public func presenter(
    _ name: String = "test", on surface: String = "main", script: [TestPresenter.Step] = []
  ) -> TestPresenter {
    work.noted(TestPresenter(self, name: name, on: surface, script: script))
  }

  /// Attaches a presenter that answers with a closure.
  public func presenter(
    _ name: String = "test", on surface: String = "main",
    answering: @escaping @Sendable (Presentation) async throws -> TestPresenter.Step
  ) -> TestPresenter {
    work.noted(TestPresenter(self, name: name, on: surface, answering: answering))
  }

  /// Throws ``UnfinishedWork`` with everything that the test left unfinished, if anything.
  ///
  /// - Throws: ``RouterError`` with the code `unreachable` if a daemon cannot be reached; `CancellationError`.
  public func check() async throws {
    let items = try await work.unfinished()
    guard items.isEmpty else { throw UnfinishedWork(items: items) }
  }

  // MARK: PresentationBroker

  /// Sends a request, and tracks it.
  public func submit(_ request: PresentationRequest, onDismiss: (@Sendable () async -> Void)?) -> PresentationHandle {
    work.submit(request, onDismiss: onDismiss)
  }

  /// Attaches a presenter that is not checked at the end of the test.
  public func attach(presenter name: String, to surface: String) -> PresenterAttachment {
    work.attach(presenter: name, to: surface)
  }

  /// Shows progress.
  public func report(progress fraction: Double, label: String?, of id: PresentationID) async throws {
    try await work.broker.report(progress: fraction, label: label, of: id)
  }

  /// Returns the open presentations.
  public func presentations(surface: String?) async throws -> [Presentation] {
    try await work.broker.presentations(surface: surface)
  }

  /// Returns a presentation.
  public func presentation(_ id: PresentationID) async throws -> Presentation { try await work.broker.presentation(id) }

  /// Waits until a presentation has ended.
  public func resolved(_ id: PresentationID) async throws -> Presentation { try await work.broker.resolved(id) }

  /// Cancels a presentation.
  public func cancel(_ id: PresentationID) async throws -> Presentation { try await work.broker.cancel(id) }
}

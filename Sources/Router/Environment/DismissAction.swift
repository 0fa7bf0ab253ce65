import Logging

/// Ends the presentation that encloses the running code: `@Environment(\.dismiss) private var dismiss`.
///
/// ```swift
/// try await showSheet.during(Uploading(file)) {
///   for part in file.parts { try await send(part) }
///   dismiss()                                        // takes the sheet away
/// }
/// ```
///
/// As in SwiftUI, it ends the innermost presentation that encloses the code, not one that the code requested:
///
/// - in ``Presenter/present(_:waiting:)``, the presenter's prompt, which ends as dismissed;
/// - in the operation of `showSheet.during`, the sheet, which ends as canceled by its requester;
/// - in the closure of a flow's screen (`navigate`), the screen with all screens above it, or for the root the entire flow; it
///   ends as canceled by its requester, and the closure continues.
///
/// Child tasks inherit the presentation; detached tasks do not. To withdraw your own request, cancel the task that waits.
public struct DismissAction: Sendable {
  private let presentation: EnclosingPresentation?
  private let logger: Logger

  /// Creates the action of an environment.
  public init(in environment: EnvironmentValues = .current) {
    presentation = environment.enclosingPresentation
    logger = environment.presentationLogger
  }

  /// Ends the presentation without waiting. Does nothing if it has already ended. Logs a failure as critical.
  public func callAsFunction() {
    // Ends once the presentation has ended or the attempt has failed.
    Task.immediate {
      do {
        _ = try await outcome()
      } catch {
        logger.report("cannot dismiss", error)
      }
    }
  }

  /// Ends the presentation and returns its recorded outcome. Canceling the task does not interrupt the short wait.
  ///
  /// - Throws: ``RouterError``: `notInjected` outside of a presentation; otherwise the reason why the presentation cannot be
  ///   ended.
  nonisolated(nonsending) public func outcome() async throws -> PresentationOutcome {
    guard let presentation else {
      throw RouterError(
        .notInjected,
        "cannot dismiss: this code is in no presentation; a presenter's present(_:waiting:), the operation of "
          + "showSheet.during(_:) and a flow's closures are")
    }
    do {
      return try await presentation.end()
    } catch let error as RouterError {
      guard error.code == .resolved, let outcome = error.outcome else { throw error }
      return outcome
    }
  }
}

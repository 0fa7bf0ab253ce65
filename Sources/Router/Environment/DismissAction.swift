import Logging

/// Ends the presentation that the running code is in: `@Environment(\.dismiss) private var dismiss`.
///
/// ```swift
/// try await showSheet.during(Uploading(file)) {
///   for part in file.parts { try await send(part) }
///   dismiss()                                        // takes the sheet away
/// }
/// ```
///
/// It means what SwiftUI's action of that name means: not what the code has asked for, but what it is *inside* of, the
/// innermost where there are several. Code is inside of
///
/// - what it shows, in ``Presenter/present(_:waiting:)``: then the presentation ends as dismissed, for it is the presenter
///   who brings what the person did;
/// - the sheet of ``ShowSheetAction/during(_:options:operation:)``, in its operation: then the presentation ends as cancelled,
///   by its requester;
/// - a screen of a ``NavigationFlow``, in the closure that runs on its answers: then the screen ends as cancelled, by its
///   requester, with what is above it, and the closure goes on. In the closure of the root that is the whole flow.
///
/// Child tasks are inside of what their parents are in; a detached task is in nothing. What was asked for and is waited for is
/// taken back by cancelling the task that waits.
public struct DismissAction: Sendable {
  private let presentation: EnclosingPresentation?
  private let logger: Logger

  /// The action of an environment.
  public init(in environment: EnvironmentValues = .current) {
    presentation = environment.enclosingPresentation
    logger = environment.presentationLogger
  }

  /// Ends the presentation and does not wait. One that has ended already stays as it ended. Where there is nothing to end, or
  /// it cannot be ended, that is logged as critical.
  public func callAsFunction() {
    // Ends when the presentation has ended, or cannot be.
    Task.immediate {
      do {
        _ = try await outcome()
      } catch {
        let error = error as? RouterError
        logger.critical(
          "cannot dismiss",
          metadata: ["code": "\(error?.code.rawValue ?? "unknown")", "error": "\(error?.message ?? "unknown")"])
      }
    }
  }

  /// Ends the presentation and waits until that is on record. Cancelling the task does not end the wait, which is short.
  ///
  /// - Returns: How it ended: otherwise than by this where something else came first, such as an answer.
  /// - Throws: ``RouterError``: `notInjected` where the code is in no presentation; why it cannot be ended, such as `covered`.
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

public import Logging

extension EnvironmentValues {
  /// Who takes what is asked: the coordinator of this process, or a client of the daemon. `nil` unless it was injected.
  public var presentationBroker: (any PresentationBroker)? {
    get { self[PresentationBrokerKey.self] }
    set { self[PresentationBrokerKey.self] = newValue }
  }

  /// How things are shown by actions that are called without options.
  public var presentationOptions: PresentationOptions {
    get { self[PresentationOptionsKey.self] }
    set { self[PresentationOptionsKey.self] = newValue }
  }

  /// Where an action says what it cannot throw.
  public var presentationLogger: Logger {
    get { self[PresentationLoggerKey.self] }
    set { self[PresentationLoggerKey.self] = newValue }
  }

  /// Shows sheets.
  public var showSheet: ShowSheetAction { ShowSheetAction(in: self) }

  /// Shows full-screen covers.
  public var showFullScreenCover: ShowFullScreenCoverAction { ShowFullScreenCoverAction(in: self) }

  /// Shows alerts.
  public var showAlert: ShowAlertAction { ShowAlertAction(in: self) }

  /// Shows confirmation dialogs.
  public var showConfirmationDialog: ShowConfirmationDialogAction { ShowConfirmationDialogAction(in: self) }
}

private struct PresentationBrokerKey: EnvironmentKey {
  static let defaultValue: (any PresentationBroker)? = nil
}

private struct PresentationOptionsKey: EnvironmentKey {
  static let defaultValue = PresentationOptions()
}

private struct PresentationLoggerKey: EnvironmentKey {
  static let defaultValue = Logger(label: "Router")
}

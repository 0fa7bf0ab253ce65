import Router

/// The schemas of the OpenAPI document that come from the code.
enum Schemas {
  static var records: [any Record.Type] {
    [
      PresentationRequest.Button.self,
      PresentationRequest.Attachment.self,
      Act.self,
      Act.File.self,
      PresentationRequest.Remember.self,
      PresentationRequest.Requirement.self,
      Presentation.Approval.self,
      ProcessIdentity.Ancestor.self,
      GrantOffer.self,
      GrantOffer.Uncovered.self,
      GrantOffer.Width.self,
      Ruling.self,
      Presentation.Callback.self,
      GrantChoice.self,
      ActBody<Verbs.Answer>.self,
      ActBody<Verbs.Dismiss>.self,
      ActBody<Verbs.Snooze>.self,
      ActBody<Verbs.Raise>.self,
      ActBody<Verbs.PauseSession>.self,
      ActBody<Verbs.Fail>.self,
      ActBody<Verbs.Finish>.self,
      SessionPause.self,
      SurfaceState.self,
      AttachedPresenter.self,
      PresentationProgress.self,
      Presentation.Ran.self,
      ActReport.self,
      PromptReply.self,
      PromptDescription.Block.self,
      PromptDescription.Run.self,
      PromptDescription.self,
      PromptDescription.Closing.self,
      PromptDescription.Fact.self,
      PromptDescription.Remembering.self,
      PromptDescription.Remembering.Width.self,
      PromptDescription.Remembering.Period.self,
      PromptDescription.Button.self,
      PromptDescription.Field.self,
      TypedForm.self,
      CheckedForm.self,
      QueuedEvent.self,
      PresentedEvent.self,
      AnsweredEvent.self,
      ApprovedEvent.self,
      PresentEvent.self,
      WithdrawEvent.self,
      QueueEvent.self,
      ProgressEvent.self,
      WebLinkBody.self,
      WebLink.self,
      Problem.self,
      DaemonStatus.self,
      DaemonStatus.SharedSurface.self,
      DaemonStatus.Page.self,
      RulesStatus.self,
      RulesStatus.Pending.self,
    ]
  }

  private static var names: [any JSONName.Type] {
    [
      AuditEvent.Kind.self,
      ButtonRole.self,
      FormSchema.Property.Format.self,
      Presentation.Callback.State.self,
      Presentation.State.self,
      Presentation.Withdrawal.self,
      PresentationKind.self,
      PresentationOptions.ConflictPolicy.self,
      PresentationOptions.NoPresenterPolicy.self,
      PresentationOptions.Priority.self,
      PresentationOptions.Severity.self,
      PresentationOutcome.CancellationReason.self,
      PresentationOutcome.ExpiryPhase.self,
      PresentationOutcome.Name.self,
      PresentationRequest.Remember.Match.self,
      PresentationRequest.TitleVisibility.self,
      ProcessIdentity.ExecutableDoubt.self,
      PromptDescription.Field.Control.self,
    ]
  }

  /// The schemas by name.
  static var all: [(name: String, schema: JSONValue)] {
    names.compactMap { type in type.schemaName.map { ($0, type.definition) } } + records.map { ($0.schemaName, $0.definition) }
  }
}

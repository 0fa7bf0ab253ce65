// The enumerations whose cases have names on the wire.

extension AuditEvent.Kind: JSONName {}
extension ButtonRole: JSONName {}
extension FormSchema.Property.Format: JSONName {}
extension Presentation.Callback.State: JSONName {}
extension Presentation.State: JSONName {}
extension Presentation.Withdrawal: JSONName {}
extension PresentationKind: JSONName {}
extension PresentationOptions.ConflictPolicy: JSONName {}
extension PresentationOptions.NoPresenterPolicy: JSONName {}
extension PresentationOptions.Priority: JSONName {}
extension PresentationOptions.Severity: JSONName {}
extension PresentationOutcome.CancellationReason: JSONName {}
extension PresentationOutcome.ExpiryPhase: JSONName {}
extension PresentationOutcome.Name: JSONName {}
extension PresentationRequest.Attachment.Kind: JSONName {}
extension PresentationRequest.MessageFormat: JSONName {}
extension PresentationRequest.Remember.Match: JSONName {}
extension PresentationRequest.TitleVisibility: JSONName {}
extension ProcessIdentity.ExecutableDoubt: JSONName {}
extension PromptDescription.Block.Kind: JSONName {}
extension PromptDescription.Field.Control: JSONName {}
extension PromptDescription.Run.Style: JSONName {}
extension WithdrawalReason: JSONName {}

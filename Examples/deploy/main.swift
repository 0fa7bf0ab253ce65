import Router
import RouterClient

let alert = AlertState("Deploy 1.4.2?") {
  ButtonState("Deploy", action: true)
  ButtonState("Not now", role: .cancel, action: false)
}
do {
  let isConfirmed = try await withEnvironment(\.presentationBroker, RouterClient()) { try await ShowAlertAction()(alert) }
  print(isConfirmed ? "deploying" : "later")
} catch {
  print(error)  // dismissed, or there is no daemon
}

import Router
import RouterClient

do {
  try await withRouter(RouterClient()) {
    print(try await confirm("Deploy 1.4.2?", button: "Deploy") ? "deploying" : "later")
  }
} catch {
  print(error)  // nobody decided
}

/// The version of routerd, routerctl and its front ends.
package let routerVersion = "1.0.0"

import Router
